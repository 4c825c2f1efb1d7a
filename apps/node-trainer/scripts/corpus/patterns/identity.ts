// Who somebody is, and whose something is.
import { be, present, verb, withArticle } from '../english.js';
import { cross, type Pattern, pattern, sentence } from '../pattern.js';
import { asked, firstNames, he, i, type Person, pronouns, she, subjects, they, we, you, youAll } from '../people.js';
import { countries } from '../places.js';
import { jobs, works } from '../qualities.js';
import { property, type Thing } from '../things.js';

const nationalities = countries.map(({ zh }, index) => ({
  zh: `${zh}人`,
  en: ['Chinese', 'British', 'French', 'German', 'American', 'Japanese'][index] as string,
}));

const isOne = (who: Person) => ![we, they, youAll].includes(who);
const working = cross(
  subjects.filter((who) => isOne(who) && works(who)),
  jobs,
);
const askedWorking = cross(
  asked.filter((who) => isOne(who) && works(who)),
  jobs,
);
const dreamers = subjects.filter(({ age, agreement }) => age !== 'adult' && age !== 'old' && agreement !== 'plural');

const owners = [
  ...[i, you, he, she, we, they].map(({ zh, possessive }) => ({ zh: `${zh}的`, en: possessive })),
  ...firstNames.map(({ zh, en }) => ({ zh: `${zh}的`, en: `${en}'s` })),
];

const pointers = [
  { zh: '这', en: 'this' },
  { zh: '那', en: 'that' },
];

const owned = cross(pointers, owners, property);
const own = (of: { zh: string; en: string }, what: Thing) => ({ zh: `${of.zh}${what.zh}`, en: `${of.en} ${what.en}` });

export const identity: Pattern[] = [
  pattern(
    'is by trade',
    45,
    3,
    working.map(([who, what]) =>
      sentence(`${who.zh}是${what.zh}。`, `${who.en} ${be(who)} ${withArticle(what.en)}.`, who, what),
    ),
  ),
  pattern(
    'is one by trade',
    35,
    2,
    askedWorking.map(([who, what]) =>
      sentence(`${who.zh}是${what.zh}吗？`, `${be(who)} ${who.en} ${withArticle(what.en)}?`, who, what),
    ),
  ),
  pattern(
    'wants to be',
    35,
    2,
    cross(dreamers, jobs).map(([who, what]) =>
      sentence(
        `${who.zh}想当${what.zh}。`,
        `${who.en} ${present(who, verb('want'))} to be ${withArticle(what.en)}.`,
        who,
        what,
      ),
    ),
  ),
  pattern(
    'nationality',
    25,
    1,
    cross(pronouns, nationalities).map(([who, what]) =>
      sentence(`${who.zh}是${what.zh}。`, `${who.en} ${be(who)} ${what.en}.`, who, what),
    ),
  ),
  pattern(
    'nationality denied',
    24,
    1,
    cross(pronouns, nationalities).map(([who, what]) =>
      sentence(`${who.zh}不是${what.zh}。`, `${who.en} ${be(who)} not ${what.en}.`, who, what),
    ),
  ),
  pattern(
    'nationality asked',
    24,
    1,
    cross([you, youAll, he, she, they], nationalities).map(([who, what]) =>
      sentence(`${who.zh}是${what.zh}吗？`, `${be(who)} ${who.en} ${what.en}?`, who, what),
    ),
  ),
  pattern(
    'whose it is',
    70,
    4,
    owned.map(([it, of, what]) =>
      sentence(`${it.zh}是${own(of, what).zh}。`, `${it.en} is ${own(of, what).en}.`, of, what),
    ),
  ),
  pattern(
    'whose it is not',
    45,
    2,
    owned.map(([it, of, what]) =>
      sentence(`${it.zh}不是${own(of, what).zh}。`, `${it.en} is not ${own(of, what).en}.`, of, what),
    ),
  ),
  pattern(
    'whose is it',
    30,
    1,
    cross(pointers, property).map(([it, what]) =>
      sentence(`${it.zh}是谁的${what.zh}？`, `whose ${what.en} is ${it.en}?`, it, what),
    ),
  ),
  pattern(
    'where is ones',
    45,
    2,
    cross(owners, property).map(([of, what]) =>
      sentence(`${own(of, what).zh}在哪里？`, `where is ${own(of, what).en}?`, of, what),
    ),
  ),
];
