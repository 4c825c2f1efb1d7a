// The hours of the day.
import { activities, suits } from '../activities.js';
import { does, has, present, verb } from '../english.js';
import { cross, type Pattern, pattern, sentence } from '../pattern.js';
import { asked, subjects } from '../people.js';
import { clockTimes, repeatedTimes, tomorrow, yesterday } from '../times.js';

const lastNight = { zh: '昨天晚上', en: 'last night' };
const everyDay = repeatedTimes.slice(0, 1);

const routine = (zh: string, english: ReturnType<typeof verb>, usual: number[], late: number[], when = lastNight) => ({
  zh,
  ...english,
  kind: /班$/.test(zh) ? ('work' as const) : ('leisure' as const),
  usual: clockTimes(...usual),
  late: clockTimes(...late),
  when,
});

/** What one does once a day, at which hours usually, and at which it is late. */
const routines = [
  routine('起床', verb('get', 'up'), [5, 6, 7], [9, 10, 11], yesterday),
  routine('吃早饭', verb('have', 'breakfast'), [6, 7, 8], [10, 11], yesterday),
  routine('上班', verb('go', 'to work'), [7, 8, 9], []),
  routine('吃午饭', verb('have', 'lunch'), [11, 12], [2, 3], yesterday),
  routine('下班', verb('finish', 'work'), [5, 6], [8, 9, 10]),
  routine('回家', verb('go', 'home'), [4, 5, 6], [9, 10, 11]),
  routine('吃晚饭', verb('have', 'dinner'), [6, 7], [9, 10]),
  routine('睡觉', verb('go', 'to bed'), [9, 10], [11, 12]),
];

const usual = routines.flatMap((what) => what.usual.map((when) => ({ what, when })));
const late = routines.flatMap((what) => what.late.map((when) => ({ what, when })));

const evening = activities.filter(({ zh }) => /散步|看书|看电视|听音乐|下棋|弹钢琴|喝茶/.test(zh));
const beforeBed = activities.filter(({ zh }) => /看书|听音乐|看电视/.test(zh));

export const clock: Pattern[] = [
  pattern(
    'at that hour',
    75,
    4,
    cross(subjects, usual)
      .filter(([who, { what }]) => suits(who, { ...what, places: [], habit: what }))
      .map(([who, { what, when }]) =>
        sentence(
          `${who.zh}每天${when.zh}${what.zh}。`,
          `${who.en} ${present(who, what)} at ${when.en} every day.`,
          who,
          when,
        ),
      ),
  ),
  pattern(
    'at what hour',
    35,
    2,
    cross(asked, routines)
      .filter(([who, what]) => suits(who, { ...what, places: [], habit: what }))
      .map(([who, what]) =>
        sentence(
          `${who.zh}每天几点${what.zh}？`,
          `what time ${does(who)} ${who.en} ${what.base} every day?`,
          who,
          what,
        ),
      ),
  ),
  pattern(
    'has to at that hour',
    45,
    3,
    cross(subjects, usual)
      .filter(([who, { what }]) => suits(who, { ...what, places: [], habit: what }))
      .map(([who, { what, when }]) =>
        sentence(
          `${who.zh}${tomorrow.zh}必须${when.zh}${what.zh}。`,
          `${who.en} ${has(who)} to ${what.base} at ${when.en} ${tomorrow.en}.`,
          who,
          what,
        ),
      ),
  ),
  pattern(
    'not until',
    50,
    3,
    cross(subjects, late)
      .filter(([who, { what }]) => suits(who, { ...what, places: [], habit: what }))
      .map(([who, { what, when }]) =>
        sentence(
          `${who.zh}${what.when.zh}${when.zh}才${what.zh}。`,
          `${who.en} didn't ${what.base} until ${when.en} ${what.when.en}.`,
          who,
          when,
        ),
      ),
  ),
  pattern(
    'it is that hour',
    20,
    1,
    clockTimes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12).map((when) =>
      sentence(`现在${when.zh}。`, `it is ${when.en} now.`, when),
    ),
  ),
  pattern(
    'after dinner',
    35,
    2,
    cross(subjects, everyDay, evening).map(([who, when, what]) =>
      sentence(
        `${who.zh}${when.zh}吃晚饭以后${what.zh}。`,
        `${who.en} ${present(who, what)} after dinner ${when.en}.`,
        who,
        what,
      ),
    ),
  ),
  pattern(
    'before bed',
    25,
    1,
    cross(subjects, everyDay, beforeBed).map(([who, when, what]) =>
      sentence(
        `${who.zh}${when.zh}睡觉以前${what.zh}。`,
        `${who.en} ${present(who, what)} before bed ${when.en}.`,
        who,
        what,
      ),
    ),
  ),
];
