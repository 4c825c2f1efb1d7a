// How somebody, something or the weather is, alone and compared.
import { be, present, verb, was } from '../english.js';
import { cross, type Pattern, pattern, sentence } from '../pattern.js';
import { asked, differ, others, pronouns, subjects } from '../people.js';
import { cities } from '../places.js';
import { degrees, described, excessive, moods, traits, weathers } from '../qualities.js';
import { today, tomorrow, yesterday } from '../times.js';

const pointers = [
  { zh: '这', en: 'this' },
  { zh: '那', en: 'that' },
];

const pairs = cross(subjects, others, traits).filter(([one, other]) => differ(one, other));

/** 跑得很快: how well or badly somebody does something. */
const manners = [
  {
    zh: '跑得',
    verb: verb('run'),
    how: [
      ['快', 'fast'],
      ['慢', 'slowly'],
    ],
  },
  {
    zh: '游得',
    verb: verb('swim'),
    how: [
      ['快', 'fast'],
      ['慢', 'slowly'],
      ['好', 'well'],
    ],
  },
  { zh: '唱得', verb: verb('sing'), how: [['好', 'well']] },
  { zh: '跳得', verb: verb('dance'), how: [['好', 'well']] },
  {
    zh: '画得',
    verb: verb('paint'),
    how: [
      ['好', 'well'],
      ['快', 'fast'],
    ],
  },
].flatMap(({ zh, verb, how }) => how.map(([quality = '', en = '']) => ({ zh, verb, quality, en })));

const rain = { zh: '下雨', past: 'rained', base: 'rain' };
const snow = { zh: '下雪', past: 'snowed', base: 'snow' };
/** Rain and snow where they fall. */
const rains = cross(cities, [rain, snow]).filter(
  ([{ en }, what]) => what === rain || !/Guangzhou|Shenzhen|Hong Kong/.test(en),
);

export const qualities: Pattern[] = [
  pattern(
    'thing is',
    90,
    5,
    cross(pointers, described, degrees)
      .filter(([, { how }, much]) => much.en !== 'too ' || excessive.includes(how))
      .map(([it, { what, how }, much]) =>
        sentence(
          `${it.zh}${what.measure}${what.zh}${much.zh}${how.zh}${much.after}。`,
          `${it.en} ${what.en} is ${much.en}${how.en}.`,
          what,
          how,
        ),
      ),
  ),
  pattern(
    'is thing',
    45,
    2,
    cross(pointers, described).map(([it, { what, how }]) =>
      sentence(`${it.zh}${what.measure}${what.zh}${how.zh}吗？`, `is ${it.en} ${what.en} ${how.en}?`, what, how),
    ),
  ),
  pattern(
    'one thinks it is',
    45,
    2,
    cross(pronouns, pointers, described).map(([who, it, { what, how }]) =>
      sentence(
        `${who.zh}觉得${it.zh}${what.measure}${what.zh}很${how.zh}。`,
        `${who.en} ${present(who, verb('think'))} ${it.en} ${what.en} is ${how.en}.`,
        what,
        how,
      ),
    ),
  ),
  pattern(
    'thing more than thing',
    45,
    2,
    described.map(({ what, how }) =>
      sentence(
        `这${what.measure}${what.zh}比那${what.measure}${how.zh}。`,
        `this ${what.en} is ${how.comparative} than that one.`,
        what,
        how,
      ),
    ),
  ),
  pattern(
    'mood',
    100,
    4,
    cross(subjects, [today, yesterday], degrees.slice(0, 2), moods).map(([who, when, much, how]) =>
      sentence(
        `${who.zh}${when.zh}${much.zh}${how.zh}。`,
        `${who.en} ${when === today ? be(who) : was(who)} ${much.en}${how.en} ${when.en}.`,
        who,
        how,
      ),
    ),
  ),
  pattern(
    'mood asked',
    55,
    2,
    cross(asked, [today, yesterday], moods).map(([who, when, how]) =>
      sentence(
        `${who.zh}${when.zh}${how.zh}吗？`,
        `${when === today ? be(who) : was(who)} ${who.en} ${how.en} ${when.en}?`,
        who,
        how,
      ),
    ),
  ),
  pattern(
    'why so',
    35,
    2,
    cross(asked, moods).map(([who, how]) =>
      sentence(`${who.zh}为什么这么${how.zh}？`, `why ${be(who)} ${who.en} so ${how.en}?`, who, how),
    ),
  ),
  pattern(
    'trait',
    60,
    4,
    cross(subjects, traits, degrees.slice(0, 4)).map(([who, how, much]) =>
      sentence(`${who.zh}${much.zh}${how.zh}。`, `${who.en} ${be(who)} ${much.en}${how.en}.`, who, how),
    ),
  ),
  pattern(
    'more than',
    65,
    4,
    pairs.map(([one, other, how]) =>
      sentence(
        `${one.zh}比${other.zh}${how.zh}。`,
        `${one.en} ${be(one)} ${how.comparative} than ${other.object}.`,
        one,
        other,
      ),
    ),
  ),
  pattern(
    'not as',
    45,
    3,
    pairs.map(([one, other, how]) =>
      sentence(
        `${one.zh}没有${other.zh}${how.zh}。`,
        `${one.en} ${be(one)} not as ${how.en} as ${other.object}.`,
        one,
        other,
      ),
    ),
  ),
  pattern(
    'as',
    45,
    3,
    pairs.map(([one, other, how]) =>
      sentence(
        `${one.zh}和${other.zh}一样${how.zh}。`,
        `${one.en} ${be(one)} as ${how.en} as ${other.object}.`,
        one,
        other,
      ),
    ),
  ),
  pattern(
    'manner',
    45,
    2,
    cross(subjects, manners).map(([who, { zh, verb, quality, en }]) =>
      sentence(`${who.zh}${zh}很${quality}。`, `${who.en} ${present(who, verb)} very ${en}.`, who, { zh }),
    ),
  ),
  pattern(
    'weather',
    60,
    3,
    cross(cities, [yesterday, today], degrees.slice(0, 2), weathers).map(([where, when, much, how]) =>
      sentence(
        `${where.zh}${when.zh}${much.zh}${how.zh}。`,
        `it ${when === today ? 'is' : 'was'} ${much.en}${how.en} in ${where.en} ${when.en}.`,
        where,
        how,
      ),
    ),
  ),
  pattern(
    'weather to come',
    35,
    2,
    cross(cities, weathers).map(([where, how]) =>
      sentence(`${where.zh}明天会很${how.zh}。`, `it will be ${how.en} in ${where.en} tomorrow.`, where, how),
    ),
  ),
  pattern(
    'warmer than',
    45,
    2,
    cross(cities, cities, weathers)
      .filter(([one, other]) => one !== other)
      .map(([one, other, how]) =>
        sentence(
          `${one.zh}${today.zh}比${other.zh}${how.zh}。`,
          `${one.en} is ${how.comparative} than ${other.en} ${today.en}.`,
          one,
          other,
        ),
      ),
  ),
  pattern(
    'it rained',
    30,
    2,
    cross(rains, [yesterday, { zh: '昨天晚上', en: 'last night' }]).map(([[where, what], when]) =>
      sentence(`${where.zh}${when.zh}${what.zh}了。`, `it ${what.past} in ${where.en} ${when.en}.`, where, what),
    ),
  ),
  pattern(
    'will it rain',
    30,
    2,
    cross(rains, [tomorrow, { zh: '后天', en: 'the day after tomorrow' }]).map(([[where, what], when]) =>
      sentence(`${where.zh}${when.zh}会${what.zh}吗？`, `will it ${what.base} in ${where.en} ${when.en}?`, where, what),
    ),
  ),
];
