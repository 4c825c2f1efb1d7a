// A sentence for every failure, in the page's two languages: it names the thing, the rule and what came.
import type { Failure } from './failure.js';

type Sentences = { [Code in Failure['code']]: (failure: Extract<Failure, { code: Code }>) => string };

const EN: Sentences = {
  'no-files': () => 'There are no files in that folder.',
  'no-model': ({ folder }) => `There is no model in ${folder}: it has no config.json.`,
  'several-models': ({ folder, count, names }) =>
    `There are ${count} models in ${folder} (${names.join(', ')}): pick one of them.`,
  'too-large': ({ file, most, bytes }) => `${file} is too large: it may have ${most} bytes; got ${bytes}.`,
  'bad-zip': ({ file }) => `${file} is not a zip file that can be read.`,
  unreadable: ({ file, folder, said }) => `${file} in ${folder} could not be read: ${said}.`,
  'no-crypto': () => 'This page cannot check a model: its address must begin with https or be localhost.',
  'bad-folder': ({ about }) => {
    const { file, folder } = about;
    switch (about.defect) {
      case 'missing':
        return `There is no ${file} in ${folder}.`;
      case 'not-json':
        return `${file} in ${folder} is not JSON (${about.bytes} bytes).`;
      case 'size':
        return `${file} in ${folder} must have ${about.expected} bytes, as config.json says; got ${about.bytes}.`;
      case 'checksum':
        return `${file} in ${folder} is not the file that config.json describes: its checksum differs.`;
      case 'too-many-weights':
        return `${file} in ${folder} describes a model of more weights than the ${about.bytes} bytes of model.safetensors can hold.`;
    }
  },
  'bad-model': ({ folder, said }) => `The model in ${folder} breaks a rule of its format: ${said}.`,
  'wrong-pieces': ({ file, folder, expected, pieces }) =>
    `${file} in ${folder} must have ${expected} pieces, as the model; got ${pieces}.`,
  unreachable: ({ url, said }) => `${url} could not be fetched: ${said}.`,
  'bad-corpus': ({ file, said }) => `${file} cannot be read as two columns: ${said}.`,
  'too-few-pairs': ({ file, least, pairs }) =>
    `${file} must have at least ${least} pairs, a line each, with a tab between the columns; got ${pairs}.`,
  'one-source': ({ file }) =>
    `${file} must have different sentences in the column that is translated, or none is left to learn from; got the same in every pair.`,
  'long-pairs': ({ file, most }) =>
    `${file} must have pairs of at most ${most} pieces a side, to learn from and to hold out; got too few of them.`,
  diverged: ({ step, loss }) =>
    `The training cannot go on: at step ${step} the loss must be a number that falls; got ${loss}.`,
  exhausted: ({ said }) => `The browser gave no more memory, or the calculation broke off: ${said}.`,
  'worker-lost': ({ said }) => `The worker could not start, or broke down${said && `: ${said}`}.`,
  'not-copied': ({ said }) => `The browser did not let the translation be copied: ${said}.`,
  'not-saved': ({ file, said }) => `${file} could not be drawn: ${said}.`,
  unexpected: ({ said }) => `Something went wrong: ${said}.`,
};

const ZH: Sentences = {
  'no-files': () => '这个文件夹里没有文件。',
  'no-model': ({ folder }) => `“${folder}”里没有模型：缺少 config.json。`,
  'several-models': ({ folder, count, names }) =>
    `“${folder}”里有 ${count} 个模型（${names.join('、')}）：请只选其中一个。`,
  'too-large': ({ file, most, bytes }) => `“${file}”太大：最多 ${most} 字节，实际有 ${bytes} 字节。`,
  'bad-zip': ({ file }) => `“${file}”不是可以读取的 zip 文件。`,
  unreadable: ({ file, folder, said }) => `“${folder}”里的 ${file} 读取失败，原因是：“${said}”。`,
  'no-crypto': () => '本页无法校验模型：网址必须以 https 开头，或者是 localhost。',
  'bad-folder': ({ about }) => {
    const { file, folder } = about;
    switch (about.defect) {
      case 'missing':
        return `“${folder}”里没有 ${file}。`;
      case 'not-json':
        return `“${folder}”里的 ${file} 不是 JSON（${about.bytes} 字节）。`;
      case 'size':
        return `“${folder}”里的 ${file} 按 config.json 应有 ${about.expected} 字节，实际有 ${about.bytes} 字节。`;
      case 'checksum':
        return `“${folder}”里的 ${file} 不是 config.json 所描述的文件：校验和不符。`;
      case 'too-many-weights':
        return `“${folder}”里的 ${file} 所描述的模型太大：model.safetensors 只有 ${about.bytes} 字节，装不下这么多权重。`;
    }
  },
  'bad-model': ({ folder, said }) => `“${folder}”里的模型不合格式要求，原文是：“${said}”。`,
  'wrong-pieces': ({ file, folder, expected, pieces }) =>
    `“${folder}”里的 ${file} 应与模型一样有 ${expected} 个单元，实际有 ${pieces} 个。`,
  unreachable: ({ url, said }) => `取不到 ${url}，原因是：“${said}”。`,
  'bad-corpus': ({ file, said }) => `“${file}”不能按两列来读取，原因是：“${said}”。`,
  'too-few-pairs': ({ file, least, pairs }) =>
    `“${file}”至少要有 ${least} 对句子，每行一对，两列之间用制表符分开，实际有 ${pairs} 对。`,
  'one-source': ({ file }) => `“${file}”里要翻译的那一列必须有不同的句子，否则没有可学的；实际每一对都相同。`,
  'long-pairs': ({ file, most }) => `“${file}”里必须有两边都不超过 ${most} 个单元的句子对，供学习和留出，实际太少。`,
  diverged: ({ step, loss }) => `训练无法继续：第 ${step} 步的损失应是一个下降的数，实际是 ${loss}。`,
  exhausted: ({ said }) => `浏览器没有更多内存，或者计算中断了，原文是：“${said}”。`,
  'worker-lost': ({ said }) => `worker 没能启动，或者中途崩溃了${said && `，原文是：“${said}”`}。`,
  'not-copied': ({ said }) => `浏览器不允许复制译文，原因是：“${said}”。`,
  'not-saved': ({ file, said }) => `${file} 没能画出来，原因是：“${said}”。`,
  unexpected: ({ said }) => `出错了，原文是：“${said}”。`,
};

const sentence =
  (sentences: Sentences) =>
  (failure: Failure): string =>
    (sentences[failure.code] as (failure: Failure) => string)(failure);

export const failureInEnglish = sentence(EN);
export const failureInChinese = sentence(ZH);
