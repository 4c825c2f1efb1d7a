// Every text of the page, in its two languages.
import type { BackendInfo } from '@seqloom/tensor-ops';
import { failureInChinese, failureInEnglish } from './failure-sentences.js';

const EN = {
  title: 'A translator that runs on this page',
  lead: 'The model was trained in TypeScript and translates here, in WebAssembly. Nothing you type leaves the page.',
  otherLanguage: '中文',
  translateTab: 'Translate',
  trainTab: 'Train',
  views: 'What to do',

  source: 'Text',
  placeholder: 'Type a sentence',
  translate: 'Translate',
  stop: 'Stop',
  translation: 'Translation',
  copy: 'Copy',
  copied: 'Copied',
  alternatives: 'What the beam found, with the mean probability of a piece',
  score: (n: number) => `${(100 * Math.exp(n)).toFixed(0)} %`,
  attention: 'What each word looked at',
  attentionHelp: 'Source across, translation down. A stronger colour is a larger weight; each row adds up to 1.',
  hover: (target: string, source: string, weight: string) => `“${target}” looked at “${source}” with ${weight}`,
  beam: 'Beam',
  beamHelp: 'Translations that are followed at once: 1 is fastest, more find better ones and alternatives',
  precision: 'Weights',
  precisionHelp: '8-bit is faster and uses less memory; now and then a word differs',
  precisions: { float32: 'exact', int8: '8-bit' },
  examples: 'Try',
  sentence: (n: number) => `Sentence ${n}`,
  sentences: 'Sentences',
  saveAs: 'Save as',
  cut: (n: number) => `This sentence is longer than the model takes: it was cut after ${n} pieces.`,

  loading: 'Loading the model…',
  loadingShare: (share: number) => `Loading the model… ${Math.round(100 * share)} %`,
  noModel: 'This page came without a model. Open one that seqloom trained, or train one here in a minute or two.',
  notOpened: (reason: string) => `The model could not be opened. ${reason}`,
  failed: failureInEnglish,
  translating: 'Translating…',
  ready: 'Ready',
  cancelled: 'Stopped',
  milliseconds: (n: number) => `${n} ms`,
  parameters: (n: number) => `${n.toLocaleString('en')} parameters`,
  backendHelp: ({ simd, reason }: BackendInfo) =>
    ({
      relaxed: 'This browser has WebAssembly with relaxed SIMD, the fastest there is.',
      simd: 'This browser has WebAssembly with SIMD. With relaxed SIMD it would be faster.',
      none: `It is slow here: ${reason}.`,
    })[simd ?? 'none'],
  openFolder: 'Open a model folder',
  openZip: 'Open a .zip',

  trainLead:
    'A small attention model learns in a worker of this page, in a minute or two. A part of the file is held out: below you see how it comes to be translated.',
  corpus: 'Sentences',
  builtIn: 'Everyday Chinese and English (5,726 pairs)',
  ownFile: 'A file of mine…',
  file: 'Two columns, a tab between them',
  direction: 'Direction',
  forward: (first: string, second: string) => `${first} → ${second}`,
  languages: { zh: 'Chinese', en: 'English' },
  columns: ['first column', 'second column'],
  pieces: 'Pieces',
  piecesOf: { words: 'words', characters: 'characters' },
  epochs: 'Passes',
  start: 'Start training',
  preparing: 'Reading and cutting the sentences…',
  prepared: (pairs: number, dropped: number, parameters: number) =>
    `${pairs.toLocaleString('en')} pairs${dropped > 0 ? ` (${dropped.toLocaleString('en')} left out)` : ''}, ${parameters.toLocaleString('en')} parameters`,
  speed: (tokens: number, seconds: number | null) =>
    `${tokens.toLocaleString('en')} words/s${seconds === null ? '' : ` · ${seconds} s left`}`,
  progress: 'Progress of the training',
  curve: 'Loss',
  curveLabel: (step: number, training: string, heldOut: string | null) =>
    `Loss curve: step ${step}, training ${training}${heldOut === null ? '' : `, held out ${heldOut}`}`,
  training: 'training',
  heldOut: 'held out',
  step: (n: number) => `step ${n}`,
  exact: (exact: number, of: number) => `${exact} of ${of} held-out sentences are exactly right`,
  sampleColumns: ['Source', 'Translation so far', 'Reference'],
  firstSample: 'What each word of the first looks at by now',
  trained: 'Trained.',
  trainingStopped: 'Stopped: this is the model as it was then.',
  useModel: 'Translate with it',
  download: 'Download the model (.zip)',
  trainedHere: 'trained here',
};

const ZH: typeof EN = {
  title: '就在这个网页里运行的翻译器',
  lead: '模型用 TypeScript 训练，在这里用 WebAssembly 翻译。你输入的内容不会离开本页。',
  otherLanguage: 'English',
  translateTab: '翻译',
  trainTab: '训练',
  views: '做什么',

  source: '原文',
  placeholder: '输入一个句子',
  translate: '翻译',
  stop: '停止',
  translation: '译文',
  copy: '复制',
  copied: '已复制',
  alternatives: '束搜索找到的译文，以及平均每个单元的概率',
  score: (n) => `${(100 * Math.exp(n)).toFixed(0)} %`,
  attention: '每个词看向了哪里',
  attentionHelp: '横向是原文，纵向是译文。颜色越浓权重越大，每一行之和为 1。',
  hover: (target, source, weight) => `“${target}” 看向 “${source}” 的权重是 ${weight}`,
  beam: '束宽',
  beamHelp: '同时跟踪的译文数：1 最快，越大越容易找到更好的译文和备选',
  precision: '权重',
  precisionHelp: '8 位更快、更省内存，偶尔会有一个词不同',
  precisions: { float32: '精确', int8: '8 位' },
  examples: '试一试',
  sentence: (n) => `第 ${n} 句`,
  sentences: '句子',
  saveAs: '另存为',
  cut: (n) => `这个句子超过了模型的长度，只取了前 ${n} 个单元。`,

  loading: '正在载入模型……',
  loadingShare: (share) => `正在载入模型…… ${Math.round(100 * share)} %`,
  noModel: '本页没有自带模型。请打开一个用 seqloom 训练的模型，或者就在这里训练一个，一两分钟即可。',
  notOpened: (reason) => `模型打不开。${reason}`,
  failed: failureInChinese,
  translating: '正在翻译……',
  ready: '就绪',
  cancelled: '已停止',
  milliseconds: (n) => `${n} 毫秒`,
  parameters: (n) => `${n.toLocaleString('zh')} 个参数`,
  backendHelp: ({ simd, reason }) =>
    ({
      relaxed: '这个浏览器支持 WebAssembly 的 relaxed SIMD，运行最快。',
      simd: '这个浏览器支持 WebAssembly 的 SIMD；支持 relaxed SIMD 的会更快。',
      none: `这里运行很慢，原因是：“${reason}”。`,
    })[simd ?? 'none'],
  openFolder: '打开模型文件夹',
  openZip: '打开 .zip',

  trainLead:
    '一个小的注意力模型在本页的 worker 里学习，一两分钟即可。一部分句子不参加训练：下面可以看到它们是怎样一步步被译对的。',
  corpus: '句子',
  builtIn: '中英日常用语（5,726 对）',
  ownFile: '我自己的文件……',
  file: '两列，中间用制表符分开',
  direction: '方向',
  forward: (first, second) => `${first} → ${second}`,
  languages: { zh: '中文', en: '英文' },
  columns: ['第一列', '第二列'],
  pieces: '单元',
  piecesOf: { words: '词', characters: '字符' },
  epochs: '遍数',
  start: '开始训练',
  preparing: '正在读取和切分句子……',
  prepared: (pairs, dropped, parameters) =>
    `${pairs.toLocaleString('zh')} 对句子${dropped > 0 ? `（略去 ${dropped.toLocaleString('zh')} 对）` : ''}，${parameters.toLocaleString('zh')} 个参数`,
  speed: (tokens, seconds) =>
    `每秒 ${tokens.toLocaleString('zh')} 个词${seconds === null ? '' : ` · 还要 ${seconds} 秒`}`,
  progress: '训练进度',
  curve: '损失',
  curveLabel: (step, training, heldOut) =>
    `损失曲线：第 ${step} 步，训练 ${training}${heldOut === null ? '' : `，留出 ${heldOut}`}`,
  training: '训练',
  heldOut: '留出',
  step: (n) => `第 ${n} 步`,
  exact: (exact, of) => `留出的 ${of} 句中有 ${exact} 句完全正确`,
  sampleColumns: ['原文', '目前的译文', '参考译文'],
  firstSample: '目前第一句的每个词看向哪里',
  trained: '训练完成。',
  trainingStopped: '已停止：这是当时的模型。',
  useModel: '用它来翻译',
  download: '下载模型（.zip）',
  trainedHere: '在此训练',
};

export type Language = 'en' | 'zh';
export type Messages = typeof EN;
export const MESSAGES: Record<Language, Messages> = { en: EN, zh: ZH };

const KEY = 'seqloom-language';

/** What was chosen on an earlier visit, else the browser's language where the page has it, else English. */
export function preferredLanguage(): Language {
  const chosen = remembered();
  if (chosen === 'en' || chosen === 'zh') return chosen;
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

export function rememberLanguage(language: Language): void {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // A browser that keeps nothing for this page asks again next time.
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
