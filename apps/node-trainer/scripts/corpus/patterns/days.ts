// What people do, did and are going to do: time and place come before the verb in Chinese, after it in English.
import { type Activity, activities, scenes, suits } from '../activities.js';
import { be, does, present } from '../english.js';
import { cross, type Pattern, pattern, sentence } from '../pattern.js';
import { asked, type Person, subjects } from '../people.js';
import { cinema, type Place } from '../places.js';
import {
  frequencies,
  futureTimes,
  lastWeekend,
  pastTimes,
  repeatedTimes,
  type Time,
  thisWeekend,
  tomorrow,
  tonight,
  yesterday,
} from '../times.js';

/** Whether the person, the activity and the time go together. */
function fits(who: Person, what: Activity, where?: Place, when?: Time): boolean {
  return suits(who, what, where) && !(what.kind === 'meal' && when?.partOfDay);
}

const past = cross(subjects, pastTimes, scenes).filter(([who, when, { what, where }]) => fits(who, what, where, when));
const future = cross(subjects, futureTimes, scenes).filter(([who, when, { what, where }]) =>
  fits(who, what, where, when),
);
const askedPast = cross(asked, pastTimes, scenes).filter(([who, when, { what, where }]) =>
  fits(who, what, where, when),
);
const repeated = cross(subjects, repeatedTimes, scenes).filter(
  ([who, when, { what, where }]) =>
    fits(who, what, where, when) && (where !== cinema || /weekend|Sunday/.test(when.en)),
);
const now = cross(subjects, scenes).filter(([who, { what, where }]) => fits(who, what, where));
const askedNow = cross(asked, scenes).filter(([who, { what, where }]) => fits(who, what, where));

export const days: Pattern[] = [
  pattern(
    'going to',
    85,
    5,
    future.map(([who, when, { what, where }]) =>
      sentence(
        `${who.zh}${when.zh}要在${where.zh}${what.zh}。`,
        `${who.en} ${be(who)} going to ${what.base} ${where.at} ${when.en}.`,
        what,
        when,
      ),
    ),
  ),
  pattern(
    'not going to',
    45,
    2,
    cross(subjects, [tomorrow, tonight, thisWeekend], activities)
      .filter(([who, when, what]) => fits(who, what, undefined, when))
      .map(([who, when, what]) =>
        sentence(
          `${who.zh}${when.zh}不${what.zh}。`,
          `${who.en} ${be(who)} not going to ${what.base} ${when.en}.`,
          what,
          who,
        ),
      ),
  ),
  pattern(
    'did',
    90,
    6,
    past.map(([who, when, { what, where }]) =>
      sentence(
        `${who.zh}${when.zh}在${where.zh}${what.zh}了。`,
        `${who.en} ${what.past} ${where.at} ${when.en}.`,
        what,
        when,
      ),
    ),
  ),
  pattern(
    'did not',
    60,
    4,
    past.map(([who, when, { what, where }]) =>
      sentence(
        `${who.zh}${when.zh}没在${where.zh}${what.zh}。`,
        `${who.en} didn't ${what.base} ${where.at} ${when.en}.`,
        what,
        where,
      ),
    ),
  ),
  pattern(
    'did one',
    60,
    4,
    askedPast.map(([who, when, { what, where }]) =>
      sentence(
        `${who.zh}${when.zh}在${where.zh}${what.zh}了吗？`,
        `did ${who.en} ${what.base} ${where.at} ${when.en}?`,
        what,
        when,
      ),
    ),
  ),
  pattern(
    'where did one',
    35,
    2,
    cross(asked, [yesterday, lastWeekend], activities)
      .filter(([who, when, what]) => fits(who, what, undefined, when) && what.places.length > 1)
      .map(([who, when, what]) =>
        sentence(`${who.zh}${when.zh}在哪里${what.zh}？`, `where did ${who.en} ${what.base} ${when.en}?`, what, who),
      ),
  ),
  pattern(
    'doing there',
    75,
    5,
    now.map(([who, { what, where }]) =>
      sentence(`${who.zh}正在${where.zh}${what.zh}。`, `${who.en} ${be(who)} ${what.ing} ${where.at}.`, what, who),
    ),
  ),
  pattern(
    'doing',
    45,
    3,
    cross(subjects, activities)
      .filter(([who, what]) => fits(who, what))
      .map(([who, what]) => sentence(`${who.zh}正在${what.zh}。`, `${who.en} ${be(who)} ${what.ing}.`, what, who)),
  ),
  pattern(
    'who is doing',
    30,
    2,
    scenes.map(({ what, where }) =>
      sentence(`谁正在${where.zh}${what.zh}？`, `who is ${what.ing} ${where.at}?`, what, where),
    ),
  ),
  pattern(
    'doing what',
    35,
    2,
    askedNow.map(([who, { where }]) =>
      sentence(`${who.zh}正在${where.zh}做什么？`, `what ${be(who)} ${who.en} doing ${where.at}?`, who, where),
    ),
  ),
  pattern(
    'does',
    75,
    5,
    repeated.map(([who, when, { what, where }]) =>
      sentence(
        `${who.zh}${when.zh}在${where.zh}${what.zh}。`,
        `${who.en} ${present(who, what.habit)} ${where.at} ${when.en}.`,
        what,
        when,
      ),
    ),
  ),
  pattern(
    'does often',
    60,
    4,
    cross(now, frequencies).map(([[who, { what, where }], often]) =>
      sentence(
        `${who.zh}${often.zh}在${where.zh}${what.zh}。`,
        `${who.en} ${often.en} ${present(who, what.habit)} ${where.at}.`,
        what,
        who,
      ),
    ),
  ),
  pattern(
    'does one often',
    45,
    2,
    askedNow.map(([who, { what, where }]) =>
      sentence(
        `${who.zh}常常在${where.zh}${what.zh}吗？`,
        `${does(who)} ${who.en} often ${what.habit.base} ${where.at}?`,
        what,
        where,
      ),
    ),
  ),
];
