// People with people: calling, waiting, seeing, knowing, helping, and doing things together (和…一起).
import { activities, chores, hobbies, suits } from '../activities.js';
import { be, does, present, verb } from '../english.js';
import { cross, type Pattern, pattern, sentence } from '../pattern.js';
import { asked, differ, firstNames, he, others, she, subjects, they, titled } from '../people.js';
import * as at from '../places.js';
import { futureTimes, pastTimes, tomorrow, yesterday } from '../times.js';

const pairs = cross(subjects, others).filter(([who, other]) => differ(who, other));

const acquaintances = [he, she, they, ...firstNames, ...titled];
const knowing = cross(subjects, acquaintances).filter(([who, other]) => differ(who, other));
const askedKnowing = cross(asked, acquaintances).filter(([who, other]) => differ(who, other));

const waitingPlaces = [at.station, at.airport, at.park, at.school, at.coffeeShop, at.cinema, at.hospital];
const meetingPlaces = [
  at.park,
  at.library,
  at.supermarket,
  at.square,
  at.museum,
  at.station,
  at.airport,
  at.coffeeShop,
];

const daytime = [yesterday, ...pastTimes.slice(2)];
const together = activities.filter(({ kind, zh }) => kind !== 'work' && zh !== '看书');

export const meetings: Pattern[] = [
  pattern(
    'called',
    45,
    3,
    cross(pairs, pastTimes).map(([[who, other], when]) =>
      sentence(
        `${who.zh}${when.zh}给${other.zh}打电话了。`,
        `${who.en} called ${other.object} ${when.en}.`,
        who,
        other,
      ),
    ),
  ),
  pattern(
    'going to call',
    45,
    2,
    cross(pairs, futureTimes.slice(0, 4)).map(([[who, other], when]) =>
      sentence(
        `${who.zh}${when.zh}要给${other.zh}打电话。`,
        `${who.en} ${be(who)} going to call ${other.object} ${when.en}.`,
        who,
        other,
      ),
    ),
  ),
  pattern(
    'waiting',
    45,
    3,
    cross(pairs, waitingPlaces).map(([[who, other], where]) =>
      sentence(
        `${who.zh}正在${where.zh}等${other.zh}。`,
        `${who.en} ${be(who)} waiting for ${other.object} ${where.at}.`,
        who,
        other,
      ),
    ),
  ),
  pattern(
    'saw',
    60,
    4,
    cross(pairs, daytime, meetingPlaces).map(([[who, other], when, where]) =>
      sentence(
        `${who.zh}${when.zh}在${where.zh}看见${other.zh}了。`,
        `${who.en} saw ${other.object} ${where.at} ${when.en}.`,
        who,
        other,
      ),
    ),
  ),
  pattern(
    'knows',
    35,
    2,
    knowing.map(([who, other]) =>
      sentence(`${who.zh}认识${other.zh}。`, `${who.en} ${present(who, verb('know'))} ${other.object}.`, who, other),
    ),
  ),
  pattern(
    'does not know',
    35,
    2,
    knowing.map(([who, other]) =>
      sentence(`${who.zh}不认识${other.zh}。`, `${who.en} ${does(who)}n't know ${other.object}.`, who, other),
    ),
  ),
  pattern(
    'does one know',
    35,
    2,
    askedKnowing.map(([who, other]) =>
      sentence(`${who.zh}认识${other.zh}吗？`, `${does(who)} ${who.en} know ${other.object}?`, who, other),
    ),
  ),
  pattern(
    'helped',
    45,
    2,
    cross(pairs, [yesterday, ...pastTimes.slice(1, 4)], chores).map(([[who, other], when, what]) =>
      sentence(
        `${who.zh}${when.zh}帮${other.zh}${what.zh}了。`,
        `${who.en} helped ${other.object} ${what.base} ${when.en}.`,
        other,
        what,
      ),
    ),
  ),
  pattern(
    'did with',
    65,
    4,
    cross(pairs, [yesterday, ...pastTimes.slice(-2)], together)
      .filter(([[who, other], , what]) => suits(who, what) && suits(other, what))
      .map(([[who, other], when, what]) =>
        sentence(
          `${who.zh}${when.zh}和${other.zh}一起${what.zh}了。`,
          `${who.en} ${what.past} with ${other.object} ${when.en}.`,
          other,
          what,
        ),
      ),
  ),
  pattern(
    'going to with',
    45,
    3,
    cross(pairs, [tomorrow, ...futureTimes.slice(-2)], together)
      .filter(([[who, other], , what]) => suits(who, what) && suits(other, what))
      .map(([[who, other], when, what]) =>
        sentence(
          `${who.zh}${when.zh}要和${other.zh}一起${what.zh}。`,
          `${who.en} ${be(who)} going to ${what.base} with ${other.object} ${when.en}.`,
          other,
          what,
        ),
      ),
  ),
  pattern(
    'likes to with',
    45,
    3,
    cross(
      pairs,
      together.filter((what) => hobbies.includes(what)),
    )
      .filter(([[who, other], what]) => suits(who, what) && suits(other, what))
      .map(([[who, other], what]) =>
        sentence(
          `${who.zh}喜欢和${other.zh}一起${what.zh}。`,
          `${who.en} ${present(who, verb('like'))} ${what.habit.ing} with ${other.object}.`,
          other,
          what,
        ),
      ),
  ),
];
