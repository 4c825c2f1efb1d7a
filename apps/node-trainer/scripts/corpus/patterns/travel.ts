// Going somewhere and living somewhere: the means of travel and the time come first in Chinese, last in English.
import { be, does, has, present, verb } from '../english.js';
import { cross, type Pattern, pattern, sentence } from '../pattern.js';
import { asked, firstNames, pronouns, subjects, titled } from '../people.js';
import { chineseCities, cities, countries, sights } from '../places.js';
import { futureJourneyTimes, futureTimes, pastJourneyTimes, pastTimes } from '../times.js';

const means = [
  { zh: '坐火车', en: 'by train' },
  { zh: '坐飞机', en: 'by plane' },
  { zh: '坐公共汽车', en: 'by bus' },
  { zh: '开车', en: 'by car' },
];

/** Overseas one goes by plane; Suzhou has no airport. */
const journeys = cross(means, cities).filter(([how, where]) =>
  how.en === 'by plane' ? where.en !== 'Suzhou' : chineseCities.includes(where),
);

const times = [
  { zh: '两次', en: 'twice' },
  { zh: '三次', en: 'three times' },
  { zh: '很多次', en: 'many times' },
];

const years = [
  { zh: '一年', en: 'a year' },
  { zh: '两年', en: 'two years' },
  { zh: '三年', en: 'three years' },
  { zh: '五年', en: 'five years' },
  { zh: '十年', en: 'ten years' },
];

/** Who comes from where: a Chinese name goes with a Chinese city. */
const origins = [
  ...cross(pronouns, [...cities, ...countries]),
  ...cross([...firstNames, ...titled], [...cities, ...countries.slice(1)]).filter(
    ([{ zh }, where]) => /小|王|刘/.test(zh) === chineseCities.includes(where),
  ),
];

const adults = subjects.filter(({ age }) => age !== 'young');
const out = cross(subjects, pastTimes, sights);

export const travel: Pattern[] = [
  pattern(
    'going somewhere',
    45,
    3,
    cross(subjects, futureTimes, sights).map(([who, when, where]) =>
      sentence(
        `${who.zh}${when.zh}要去${where.zh}。`,
        `${who.en} ${be(who)} going to ${where.en} ${when.en}.`,
        when,
        where,
      ),
    ),
  ),
  pattern(
    'travelling by',
    60,
    4,
    cross(adults, futureJourneyTimes, journeys).map(([who, when, [how, where]]) =>
      sentence(
        `${who.zh}${when.zh}要${how.zh}去${where.zh}。`,
        `${who.en} ${be(who)} going to ${where.en} ${how.en} ${when.en}.`,
        when,
        where,
      ),
    ),
  ),
  pattern(
    'went somewhere',
    45,
    3,
    out.map(([who, when, where]) =>
      sentence(`${who.zh}${when.zh}去了${where.zh}。`, `${who.en} went to ${where.en} ${when.en}.`, when, where),
    ),
  ),
  pattern(
    'travelled by',
    60,
    4,
    cross(adults, pastJourneyTimes, journeys).map(([who, when, [how, where]]) =>
      sentence(
        `${who.zh}${when.zh}${how.zh}去了${where.zh}。`,
        `${who.en} went to ${where.en} ${how.en} ${when.en}.`,
        how,
        where,
      ),
    ),
  ),
  pattern(
    'did not go',
    45,
    2,
    out.map(([who, when, where]) =>
      sentence(`${who.zh}${when.zh}没去${where.zh}。`, `${who.en} didn't go to ${where.en} ${when.en}.`, who, where),
    ),
  ),
  pattern(
    'where is one going',
    25,
    1,
    cross(asked, futureTimes).map(([who, when]) =>
      sentence(`${who.zh}${when.zh}要去哪里？`, `where ${be(who)} ${who.en} going ${when.en}?`, who, when),
    ),
  ),
  pattern(
    'when is one going',
    35,
    2,
    cross(asked, cities).map(([who, where]) =>
      sentence(`${who.zh}什么时候去${where.zh}？`, `when ${be(who)} ${who.en} going to ${where.en}?`, who, where),
    ),
  ),
  pattern(
    'wants to go',
    35,
    2,
    cross(subjects, [...cities, ...countries]).map(([who, where]) =>
      sentence(
        `${who.zh}想去${where.zh}。`,
        `${who.en} ${present(who, verb('want'))} to go to ${where.en}.`,
        who,
        where,
      ),
    ),
  ),
  pattern(
    'has been to',
    45,
    2,
    cross(subjects, [...cities, ...countries]).map(([who, where]) =>
      sentence(`${who.zh}去过${where.zh}。`, `${who.en} ${has(who)} been to ${where.en}.`, who, where),
    ),
  ),
  pattern(
    'has never been to',
    45,
    2,
    cross(subjects, [...cities, ...countries]).map(([who, where]) =>
      sentence(`${who.zh}没去过${where.zh}。`, `${who.en} ${has(who)} never been to ${where.en}.`, who, where),
    ),
  ),
  pattern(
    'has one been to',
    45,
    2,
    cross(asked, [...cities, ...countries]).map(([who, where]) =>
      sentence(`${who.zh}去过${where.zh}吗？`, `${has(who)} ${who.en} been to ${where.en}?`, who, where),
    ),
  ),
  pattern(
    'how many times',
    35,
    2,
    cross(subjects, cities, times).map(([who, where, often]) =>
      sentence(
        `${who.zh}去过${where.zh}${often.zh}。`,
        `${who.en} ${has(who)} been to ${where.en} ${often.en}.`,
        who,
        where,
      ),
    ),
  ),
  pattern(
    'lives in',
    35,
    2,
    cross(subjects, cities).map(([who, where]) =>
      sentence(`${who.zh}住在${where.zh}。`, `${who.en} ${present(who, verb('live'))} in ${where.en}.`, who, where),
    ),
  ),
  pattern(
    'where does one live',
    16,
    0,
    asked.map((who) => sentence(`${who.zh}住在哪里？`, `where ${does(who)} ${who.en} live?`, who)),
  ),
  pattern(
    'lived in for',
    35,
    2,
    cross(adults, cities, years).map(([who, where, long]) =>
      sentence(`${who.zh}在${where.zh}住了${long.zh}。`, `${who.en} lived in ${where.en} for ${long.en}.`, who, where),
    ),
  ),
  pattern(
    'has lived in for',
    45,
    2,
    cross(adults, cities, years).map(([who, where, long]) =>
      sentence(
        `${who.zh}在${where.zh}住了${long.zh}了。`,
        `${who.en} ${has(who)} lived in ${where.en} for ${long.en}.`,
        who,
        where,
      ),
    ),
  ),
  pattern(
    'let us go',
    25,
    2,
    [...sights, ...cities].flatMap((where) => [
      sentence(`我们去${where.zh}吧。`, `let's go to ${where.en}.`, where),
      sentence(`我们明天去${where.zh}吧。`, `let's go to ${where.en} tomorrow.`, where),
    ]),
  ),
  pattern(
    'is from',
    35,
    2,
    origins.map(([who, where]) =>
      sentence(`${who.zh}是从${where.zh}来的。`, `${who.en} ${be(who)} from ${where.en}.`, who, where),
    ),
  ),
];
