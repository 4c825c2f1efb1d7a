import type { Person } from './people.js';
import * as things from './things.js';

/** 很{zh} is `{en}`; 比…{zh} is `{comparative} than …`. */
export interface Quality {
  readonly zh: string;
  readonly en: string;
  readonly comparative: string;
}

const quality = (zh: string, en: string, comparative: string): Quality => ({ zh, en, comparative });

const expensive = quality('贵', 'expensive', 'more expensive');
const cheap = quality('便宜', 'cheap', 'cheaper');
const interesting = quality('有意思', 'interesting', 'more interesting');
const beautiful = quality('漂亮', 'beautiful', 'more beautiful');
const big = quality('大', 'big', 'bigger');
const small = quality('小', 'small', 'smaller');
const tasty = quality('好吃', 'tasty', 'tastier');
const useful = quality('有用', 'useful', 'more useful');

/** What can be said of which things. */
const descriptions: readonly { readonly of: readonly things.Thing[]; readonly qualities: readonly Quality[] }[] = [
  { of: [things.book], qualities: [interesting, useful, expensive, cheap] },
  { of: [things.dictionary], qualities: [useful, expensive, cheap] },
  { of: things.clothes, qualities: [expensive, cheap, beautiful, big, small] },
  { of: [things.apple, things.orange], qualities: [tasty, big, expensive, cheap] },
  { of: [things.phone, things.computer], qualities: [expensive, cheap, useful] },
  { of: [things.car, things.bike], qualities: [expensive, cheap, beautiful] },
  { of: [things.umbrella], qualities: [beautiful, big, small, cheap] },
  { of: things.animals, qualities: [beautiful, big, small] },
];

/** 太…了 is `too` of these; of the others it is praise. */
export const excessive = [expensive, big, small];

/** Every thing with every quality that fits it. */
export const described = descriptions.flatMap(({ of, qualities }) =>
  of.flatMap((what) => qualities.map((how) => ({ what, how }))),
);

/** How somebody is for a day. */
export const moods = [
  quality('忙', 'busy', 'busier'),
  quality('累', 'tired', 'more tired'),
  quality('高兴', 'happy', 'happier'),
  quality('难过', 'sad', 'sadder'),
];

/** How somebody is. */
export const traits = [
  quality('高', 'tall', 'taller'),
  quality('聪明', 'smart', 'smarter'),
  quality('安静', 'quiet', 'quieter'),
];

/** How the weather is. */
export const weathers = [
  quality('冷', 'cold', 'colder'),
  quality('热', 'hot', 'hotter'),
  quality('暖和', 'warm', 'warmer'),
];

/** How much: the words before the quality in both languages. */
export const degrees = [
  { zh: '很', after: '', en: '' },
  { zh: '非常', after: '', en: 'very ' },
  { zh: '真', after: '', en: 'really ' },
  { zh: '不', after: '', en: 'not ' },
  { zh: '太', after: '了', en: 'too ' },
];

/** What people are by trade. */
export interface Job {
  readonly zh: string;
  readonly en: string;
}

export const jobs: readonly Job[] = [
  { zh: '老师', en: 'teacher' },
  { zh: '医生', en: 'doctor' },
  { zh: '护士', en: 'nurse' },
  { zh: '工程师', en: 'engineer' },
  { zh: '律师', en: 'lawyer' },
  { zh: '演员', en: 'actor' },
  { zh: '警察', en: 'police officer' },
];

/** Whether somebody of that age is anything by trade. */
export function works(who: Person): boolean {
  return who.age !== 'young' && who.age !== 'old';
}
