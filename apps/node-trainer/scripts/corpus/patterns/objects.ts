// Things: where they are put (把), where they are (在, 有), who has, buys and gives them, and what they cost.
import { does, has, present, verb, withArticle } from '../english.js';
import { cross, type Pattern, pattern, sentence } from '../pattern.js';
import { asked, differ, others, pronouns, subjects, we, you } from '../people.js';
import * as at from '../places.js';
import { described } from '../qualities.js';
import * as things from '../things.js';
import { pastTimes, yesterday } from '../times.js';

const { arrangements, counted, counts, isLikely } = things;

const pointers = [
  { zh: '这', en: 'this' },
  { zh: '那', en: 'that' },
];

const handled = [
  { zh: '门', en: 'the door', on: ['打开', 'open', 'opened'], off: ['关上', 'close', 'closed'] },
  { zh: '窗户', en: 'the window', on: ['打开', 'open', 'opened'], off: ['关上', 'close', 'closed'] },
  { zh: '箱子', en: 'the suitcase', on: ['打开', 'open', 'opened'], off: ['关上', 'close', 'closed'] },
  { zh: '灯', en: 'the light', on: ['打开', 'turn on', 'turned on'], off: ['关掉', 'turn off', 'turned off'] },
  { zh: '电视', en: 'the TV', on: ['打开', 'turn on', 'turned on'], off: ['关掉', 'turn off', 'turned off'] },
  { zh: '电脑', en: 'the computer', on: ['打开', 'turn on', 'turned on'], off: ['关掉', 'turn off', 'turned off'] },
].flatMap(({ zh, en, on, off }) => [on, off].map(([how = '', base = '', past = '']) => ({ zh, en, how, base, past })));

const lost = cross(things.belongings, [
  at.home,
  at.library,
  at.school,
  at.classroom,
  at.office,
  at.restaurant,
  at.coffeeShop,
  at.gym,
  at.cinema,
  at.station,
  at.airport,
]);

const owning = cross(counts, [
  ...things.property.filter((what) => !things.clothes.includes(what)),
  things.cat,
  things.dog,
  things.ticket,
]).filter(([count, what]) => isLikely(count, what));
const buying = cross(counts, [
  ...things.property.filter(({ en }) => en !== 'car'),
  ...things.food,
  things.ticket,
  things.cup,
]).filter(([count, what]) => isLikely(count, what));
const bought = described.filter(({ what }) => buying.some(([, each]) => each === what));

const gifts = [
  things.book,
  things.dictionary,
  things.photo,
  things.cup,
  things.sweater,
  things.phone,
  things.schoolbag,
  things.cat,
  things.dog,
];
const receivers = [...others, we].filter((each) => each !== you);

export const objects: Pattern[] = [
  pattern(
    'please put',
    35,
    2,
    arrangements.map(({ what, spot }) =>
      sentence(`请把${what.zh}放在${spot.zh}。`, `please put the ${what.en} ${spot.en}.`, what, spot),
    ),
  ),
  pattern(
    'put',
    70,
    4,
    cross(subjects, arrangements).map(([who, { what, spot }]) =>
      sentence(`${who.zh}把${what.zh}放在${spot.zh}了。`, `${who.en} put the ${what.en} ${spot.en}.`, what, spot),
    ),
  ),
  pattern(
    'do not put',
    30,
    2,
    arrangements.map(({ what, spot }) =>
      sentence(`别把${what.zh}放在${spot.zh}。`, `don't put the ${what.en} ${spot.en}.`, what, spot),
    ),
  ),
  pattern(
    'please open',
    12,
    0,
    handled.map(({ zh, en, how, base }) => sentence(`请把${zh}${how}。`, `please ${base} ${en}.`, { zh })),
  ),
  pattern(
    'opened',
    45,
    3,
    cross(subjects, handled).map(([who, { zh, en, how, past }]) =>
      sentence(`${who.zh}把${zh}${how}了。`, `${who.en} ${past} ${en}.`, who, { zh }),
    ),
  ),
  pattern(
    'did not open',
    45,
    2,
    cross(subjects, handled).map(([who, { zh, en, how, base }]) =>
      sentence(`${who.zh}没把${zh}${how}。`, `${who.en} didn't ${base} ${en}.`, who, { zh }),
    ),
  ),
  pattern(
    'please give',
    45,
    3,
    cross(receivers, things.smallThings).map(([who, what]) =>
      sentence(`请把${what.zh}给${who.zh}。`, `please give ${who.object} the ${what.en}.`, who, what),
    ),
  ),
  pattern(
    'left behind',
    70,
    4,
    cross(subjects, lost).map(([who, [what, where]]) =>
      sentence(
        `${who.zh}把${what.zh}忘在${where.zh}了。`,
        `${who.en} left ${who.possessive} ${what.en} ${where.at}.`,
        what,
        where,
      ),
    ),
  ),
  pattern(
    'there is',
    70,
    4,
    cross(counts, [...arrangements, ...things.lairs])
      .filter(([count, { what }]) => isLikely(count, what))
      .map(([count, { what, spot }]) =>
        sentence(
          `${spot.zh}有${counted(count, what).zh}。`,
          `there ${count.en === 'one' ? 'is' : 'are'} ${counted(count, what).en} ${spot.en}.`,
          what,
          spot,
        ),
      ),
  ),
  pattern(
    'is there',
    35,
    2,
    [...arrangements, ...things.lairs].map(({ what, spot }) =>
      sentence(`${spot.zh}有${what.zh}吗？`, `is there ${withArticle(what.en)} ${spot.en}?`, what, spot),
    ),
  ),
  pattern(
    'it is there',
    45,
    2,
    [...arrangements, ...things.lairs].map(({ what, spot }) =>
      sentence(`${what.zh}在${spot.zh}。`, `the ${what.en} is ${spot.en}.`, what, spot),
    ),
  ),
  pattern(
    'has',
    50,
    4,
    cross(subjects, owning).map(([who, [count, what]]) =>
      sentence(
        `${who.zh}有${counted(count, what).zh}。`,
        `${who.en} ${has(who)} ${counted(count, what).en}.`,
        who,
        what,
      ),
    ),
  ),
  pattern(
    'has not',
    45,
    2,
    cross(subjects, things.property).map(([who, what]) =>
      sentence(`${who.zh}没有${what.zh}。`, `${who.en} ${does(who)}n't have ${withArticle(what.en)}.`, who, what),
    ),
  ),
  pattern(
    'has one',
    45,
    2,
    cross(asked, things.property).map(([who, what]) =>
      sentence(`${who.zh}有${what.zh}吗？`, `${does(who)} ${who.en} have ${withArticle(what.en)}?`, who, what),
    ),
  ),
  pattern(
    'how many',
    45,
    2,
    cross(
      asked,
      things.collected.filter((what) => !things.food.includes(what)),
    ).map(([who, what]) =>
      sentence(
        `${who.zh}有几${what.measure}${what.zh}？`,
        `how many ${what.plural} ${does(who)} ${who.en} have?`,
        who,
        what,
      ),
    ),
  ),
  pattern(
    'bought',
    70,
    4,
    cross(subjects, [yesterday, ...pastTimes.slice(-2)], buying).map(([who, when, [count, what]]) =>
      sentence(
        `${who.zh}${when.zh}买了${counted(count, what).zh}。`,
        `${who.en} bought ${counted(count, what).en} ${when.en}.`,
        who,
        what,
      ),
    ),
  ),
  pattern(
    'what one bought is',
    45,
    3,
    cross(pronouns, [yesterday, ...pastTimes.slice(-2)], bought).map(([who, when, { what, how }]) =>
      sentence(
        `${who.zh}${when.zh}买的${what.zh}很${how.zh}。`,
        `the ${what.en} ${who.en} bought ${when.en} is ${how.en}.`,
        what,
        how,
      ),
    ),
  ),
  pattern(
    'wants to buy',
    45,
    3,
    cross(subjects, buying)
      .filter(([, [count]]) => count.en === 'one')
      .map(([who, [count, what]]) =>
        sentence(
          `${who.zh}想买${counted(count, what).zh}。`,
          `${who.en} ${present(who, verb('want'))} to buy ${counted(count, what).en}.`,
          who,
          what,
        ),
      ),
  ),
  pattern(
    'drank',
    45,
    2,
    cross(subjects, pastTimes.slice(0, 4), counts.slice(0, 3), things.drinks).map(([who, when, count, what]) =>
      sentence(
        `${who.zh}${when.zh}喝了${counted(count, what).zh}。`,
        `${who.en} drank ${counted(count, what).en} ${when.en}.`,
        who,
        when,
      ),
    ),
  ),
  pattern(
    'gave',
    60,
    4,
    cross(subjects, receivers, [yesterday, ...pastTimes.slice(-2)], gifts)
      .filter(([who, other]) => differ(who, other))
      .map(([who, other, when, what]) =>
        sentence(
          `${who.zh}${when.zh}送给${other.zh}${counted(counts[0] as things.Count, what).zh}。`,
          `${who.en} gave ${other.object} ${withArticle(what.en)} ${when.en}.`,
          who,
          what,
        ),
      ),
  ),
  pattern(
    'how much',
    25,
    1,
    cross(pointers, [...things.property.filter(({ en }) => en !== 'key'), things.ticket, things.cup]).map(
      ([it, what]) =>
        sentence(`${it.zh}${what.measure}${what.zh}多少钱？`, `how much is ${it.en} ${what.en}?`, it, what),
    ),
  ),
];
