import type { Agreement } from './english.js';

/** Who does something: as subject, as object and as owner. */
export interface Person {
  readonly zh: string;
  readonly en: string;
  readonly object: string;
  /** my, his, …; for names and relatives the pronoun that a second mention takes. */
  readonly possessive: string;
  readonly agreement: Agreement;
  /** Decides what they plausibly do: children do not hold meetings, grandparents play no football. */
  readonly age: 'any' | 'young' | 'adult' | 'old';
  /** Whose relative it is, if one's. */
  readonly relativeOf?: Person;
}

const pronoun = (zh: string, en: string, object: string, possessive: string, agreement: Agreement): Person => ({
  zh,
  en,
  object,
  possessive,
  agreement,
  age: 'any',
});

const third = (zh: string, en: string, possessive: 'his' | 'her', age: Person['age'] = 'any'): Person => ({
  zh,
  en,
  object: en,
  possessive,
  agreement: 'third',
  age,
});

export const i = pronoun('我', 'I', 'me', 'my', 'first');
export const you = pronoun('你', 'you', 'you', 'your', 'plural');
export const youAll = pronoun('你们', 'you', 'you', 'your', 'plural');
export const he = pronoun('他', 'he', 'him', 'his', 'third');
export const she = pronoun('她', 'she', 'her', 'her', 'third');
export const we = pronoun('我们', 'we', 'us', 'our', 'plural');
export const they = pronoun('他们', 'they', 'them', 'their', 'plural');

export const pronouns = [i, he, she, we, they];

export const firstNames = [
  third('小明', 'Xiaoming', 'his'),
  third('小丽', 'Xiaoli', 'her'),
  third('大卫', 'David', 'his'),
  third('玛丽', 'Mary', 'her'),
  third('汤姆', 'Tom', 'his'),
  third('安娜', 'Anna', 'her'),
];

export const titled = [third('王先生', 'Mr Wang', 'his', 'adult'), third('刘女士', 'Ms Liu', 'her', 'adult')];

const relatives = [
  ['爸爸', 'father', 'his', 'adult'],
  ['妈妈', 'mother', 'her', 'adult'],
  ['哥哥', 'older brother', 'his', 'any'],
  ['姐姐', 'older sister', 'her', 'any'],
  ['弟弟', 'younger brother', 'his', 'young'],
  ['妹妹', 'younger sister', 'her', 'young'],
  ['爷爷', 'grandfather', 'his', 'old'],
  ['奶奶', 'grandmother', 'her', 'old'],
] as const;

const relativesOf = (owner: Person, kinds: readonly string[]): Person[] =>
  relatives
    .filter(([zh]) => kinds.includes(zh))
    .map(([zh, en, possessive, age]) => ({
      ...third(`${owner.zh}${zh}`, `${owner.possessive} ${en}`, possessive, age),
      relativeOf: owner,
    }));

const mine = relativesOf(i, ['爸爸', '妈妈', '哥哥', '姐姐', '弟弟', '妹妹', '爷爷', '奶奶']);
const yours = relativesOf(you, ['爸爸', '妈妈', '哥哥', '妹妹']);
const theirs = [...relativesOf(he, ['爸爸', '姐姐']), ...relativesOf(she, ['妈妈', '弟弟'])];

/** Pronouns stand several times in these lists, so that they are drawn more often, as they are in real text. */
const often = <Item>(items: readonly Item[]): Item[] => [...items, ...items, ...items];

/** Those a statement is about. */
export const subjects = [...often(pronouns), ...firstNames, ...titled, ...mine, ...theirs];

/** Those one asks about. */
export const asked = [...often([you, youAll, he, she, they]), ...firstNames, ...titled, ...yours];

/** Those something is done to or with. */
export const others = [...often([i, you, he, she, they]), ...firstNames, ...titled, ...mine];

/** Whether both can stand in one sentence without meaning the same person or leaving open who is meant. */
export function differ(a: Person, b: Person): boolean {
  if (a === b || (a.relativeOf && b.relativeOf)) return false;
  return (
    [
      [i, we],
      [you, youAll],
    ].every((same) => !(same.includes(a) && same.includes(b))) &&
    !isVague(a, b) &&
    !isVague(b, a)
  );
}

/** "His sister called him": whom? */
function isVague({ relativeOf }: Person, other: Person): boolean {
  return (relativeOf === he || relativeOf === she) && [he, she, they].includes(other);
}
