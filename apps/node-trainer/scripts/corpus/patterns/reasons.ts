// Because, if, already and not yet: clauses change places between the languages.
import { activities, suits } from '../activities.js';
import { has, was } from '../english.js';
import { cross, type Pattern, pattern, sentence } from '../pattern.js';
import { asked, pronouns, subjects } from '../people.js';
import { home, sights } from '../places.js';

const conditions = [
  { zh: '很忙', en: 'busy' },
  { zh: '很累', en: 'tired' },
  { zh: '病了', en: 'ill' },
];

const weathers = [
  { zh: '下雨', en: 'it was raining' },
  { zh: '下雪', en: 'it was snowing' },
  { zh: '太冷', en: 'it was too cold' },
  { zh: '太热', en: 'it was too hot' },
];

const forecasts = [
  { zh: '下雨', en: 'it rains' },
  { zh: '下雪', en: 'it snows' },
];

const atHome = activities.filter(({ places, kind }) => places.includes(home) && kind !== 'meal');
const outside = sights.filter(({ en }) => /park|library|museum|cinema|gym|seaside|bookshop/.test(en));

const deeds = [
  { zh: '起床', en: 'got up' },
  { zh: '吃早饭', en: 'had breakfast' },
  { zh: '吃午饭', en: 'had lunch' },
  { zh: '吃晚饭', en: 'had dinner' },
  { zh: '回家', en: 'gone home' },
  { zh: '睡觉', en: 'gone to bed' },
  { zh: '洗衣服', en: 'done the laundry' },
  { zh: '打扫房间', en: 'cleaned the room' },
  { zh: '买票', en: 'bought the tickets' },
  { zh: '做完作业', en: 'finished the homework' },
];

export const reasons: Pattern[] = [
  pattern(
    'because one was',
    45,
    2,
    cross(pronouns, conditions, sights).map(([who, why, where]) =>
      sentence(
        `因为${who.zh}${why.zh}，所以没去${where.zh}。`,
        `${who.en} didn't go to ${where.en} because ${who.en} ${was(who)} ${why.en}.`,
        who,
        where,
      ),
    ),
  ),
  pattern(
    'because of the weather',
    45,
    3,
    cross(subjects, weathers, outside).map(([who, why, where]) =>
      sentence(
        `因为${why.zh}，所以${who.zh}没去${where.zh}。`,
        `${who.en} didn't go to ${where.en} because ${why.en}.`,
        who,
        where,
      ),
    ),
  ),
  pattern(
    'if it rains',
    45,
    3,
    cross(subjects, forecasts, atHome)
      .filter(([who, , what]) => suits(who, what))
      .map(([who, what, then]) =>
        sentence(
          `如果明天${what.zh}，${who.zh}就在家${then.zh}。`,
          `if ${what.en} tomorrow, ${who.en} will ${then.base} at home.`,
          who,
          then,
        ),
      ),
  ),
  pattern(
    'if the weather is good',
    45,
    2,
    cross(subjects, outside).map(([who, where]) =>
      sentence(
        `如果明天天气好，${who.zh}就去${where.zh}。`,
        `if the weather is good tomorrow, ${who.en} will go to ${where.en}.`,
        who,
        where,
      ),
    ),
  ),
  pattern(
    'already',
    45,
    3,
    cross(subjects, deeds).map(([who, what]) =>
      sentence(`${who.zh}已经${what.zh}了。`, `${who.en} ${has(who)} already ${what.en}.`, who, what),
    ),
  ),
  pattern(
    'not yet',
    45,
    3,
    cross(subjects, deeds).map(([who, what]) =>
      sentence(`${who.zh}还没${what.zh}。`, `${who.en} ${has(who)}n't ${what.en} yet.`, who, what),
    ),
  ),
  pattern(
    'already asked',
    45,
    2,
    cross(asked, deeds).map(([who, what]) =>
      sentence(`${who.zh}已经${what.zh}了吗？`, `${has(who)} ${who.en} already ${what.en}?`, who, what),
    ),
  ),
];
