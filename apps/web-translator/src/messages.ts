// Every text of the page, in its two languages.
const EN = {
  title: 'A translator that runs on this page',
  lead: 'The model was trained in TypeScript and translates here, in WebAssembly. Nothing you type leaves the page.',
  source: 'Text',
  placeholder: 'Type a sentence',
  translate: 'Translate',
  stop: 'Stop',
  translation: 'Translation',
  attention: 'What each word looked at',
  attentionHelp: 'Source across, translation down. A stronger colour is a larger weight; each row adds up to 1.',
  hover: (target: string, source: string, weight: string) => `“${target}” looked at “${source}” with ${weight}`,
  beam: 'Beam',
  examples: 'Try',
  loading: 'Loading the model…',
  noModel: 'This page came without a model: open one.',
  translating: 'Translating…',
  ready: 'Ready',
  cancelled: 'Stopped',
  milliseconds: (n: number) => `${n} ms`,
  parameters: (n: number) => `${n.toLocaleString('en')} parameters`,
  cut: (n: number) => `This sentence is longer than the model takes: it was cut after ${n} pieces.`,
  otherModel: 'Open another model folder',
  end: 'end',
  download: 'Save as',
  sentence: (n: number) => `Sentence ${n}`,
};

const ZH: typeof EN = {
  title: '就在这个网页里运行的翻译器',
  lead: '模型用 TypeScript 训练，在这里用 WebAssembly 翻译。你输入的内容不会离开本页。',
  source: '原文',
  placeholder: '输入一个句子',
  translate: '翻译',
  stop: '停止',
  translation: '译文',
  attention: '每个词看向了哪里',
  attentionHelp: '横向是原文，纵向是译文。颜色越浓权重越大，每一行之和为 1。',
  hover: (target, source, weight) => `“${target}” 看向 “${source}” 的权重是 ${weight}`,
  beam: '束宽',
  examples: '试一试',
  loading: '正在载入模型……',
  noModel: '本页没有自带模型，请打开一个。',
  translating: '正在翻译……',
  ready: '就绪',
  cancelled: '已停止',
  milliseconds: (n) => `${n} 毫秒`,
  parameters: (n) => `${n.toLocaleString('zh')} 个参数`,
  cut: (n) => `这个句子超过了模型的长度，只取了前 ${n} 个单元。`,
  otherModel: '打开另一个模型文件夹',
  end: '结束',
  download: '另存为',
  sentence: (n) => `第 ${n} 句`,
};

export type Language = 'en' | 'zh';
export type Messages = typeof EN;
export const MESSAGES: Record<Language, Messages> = { en: EN, zh: ZH };

/** The browser's language where the page has it, else English. */
export function preferredLanguage(): Language {
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
