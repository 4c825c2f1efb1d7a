// Liking, wanting, being able, being allowed.
import { activities, chores, disturbances, hobbies, scenes, skills, suits } from '../activities.js';
import { does, present, type Verb, verb } from '../english.js';
import { cross, type Pattern, pattern, sentence } from '../pattern.js';
import { asked, i, type Person, pronouns, subjects, we, you, youAll } from '../people.js';

const like = verb('like');
const want = verb('want');
/** doesn't, don't. */
const doesNot = (who: Person) => `${does(who)}n't`;

const people = <What extends Parameters<typeof suits>[1]>(who: readonly Person[], what: readonly What[]) =>
  cross(who, what).filter(([each, activity]) => suits(each, activity as What)) as [Person, What][];

const better: readonly (Verb & { zh: string })[] = [
  { zh: '运动', ...verb('exercise') },
  { zh: '休息', ...verb('rest') },
  { zh: '看书', ...verb('read') },
];

const permitted = scenes.filter(({ what }) =>
  ['看书', '听音乐', '弹钢琴', '唱歌', '跳舞', '画画', '拍照', '踢足球', '游泳'].includes(what.zh),
);

export const wishes: Pattern[] = [
  pattern(
    'likes',
    45,
    3,
    people(subjects, hobbies).map(([who, what]) =>
      sentence(`${who.zh}喜欢${what.zh}。`, `${who.en} ${present(who, like)} ${what.habit.ing}.`, who, what),
    ),
  ),
  pattern(
    'does not like',
    45,
    3,
    people(subjects, hobbies).map(([who, what]) =>
      sentence(`${who.zh}不喜欢${what.zh}。`, `${who.en} ${doesNot(who)} like ${what.habit.ing}.`, who, what),
    ),
  ),
  pattern(
    'does one like',
    45,
    2,
    people(asked, hobbies).map(([who, what]) =>
      sentence(`${who.zh}喜欢${what.zh}吗？`, `${does(who)} ${who.en} like ${what.habit.ing}?`, who, what),
    ),
  ),
  pattern(
    'why does one like',
    35,
    2,
    people(asked, hobbies).map(([who, what]) =>
      sentence(`${who.zh}为什么喜欢${what.zh}？`, `why ${does(who)} ${who.en} like ${what.habit.ing}?`, who, what),
    ),
  ),
  pattern(
    'likes but does not like',
    60,
    4,
    cross(subjects, hobbies, hobbies)
      .filter(([who, one, other]) => one !== other && suits(who, one) && suits(who, other))
      .map(([who, one, other]) =>
        sentence(
          `${who.zh}喜欢${one.zh}，但是不喜欢${other.zh}。`,
          `${who.en} ${present(who, like)} ${one.habit.ing} but ${doesNot(who)} like ${other.habit.ing}.`,
          one,
          other,
        ),
      ),
  ),
  pattern(
    'can',
    45,
    3,
    people(subjects, skills).map(([who, what]) =>
      sentence(`${who.zh}会${what.zh}。`, `${who.en} can ${what.base}.`, who, what),
    ),
  ),
  pattern(
    'cannot',
    45,
    2,
    people(subjects, skills).map(([who, what]) =>
      sentence(`${who.zh}不会${what.zh}。`, `${who.en} can't ${what.base}.`, who, what),
    ),
  ),
  pattern(
    'can one',
    45,
    2,
    people(asked, skills).map(([who, what]) =>
      sentence(`${who.zh}会${what.zh}吗？`, `can ${who.en} ${what.base}?`, who, what),
    ),
  ),
  pattern(
    'wants to',
    45,
    3,
    cross(subjects, scenes)
      .filter(([who, { what, where }]) => suits(who, what, where))
      .map(([who, { what, where }]) =>
        sentence(
          `${who.zh}想在${where.zh}${what.zh}。`,
          `${who.en} ${present(who, want)} to ${what.base} ${where.at}.`,
          who,
          what,
        ),
      ),
  ),
  pattern(
    'does not want to',
    45,
    2,
    people(subjects, [...activities, ...chores.slice(1)]).map(([who, what]) =>
      sentence(`${who.zh}不想${what.zh}。`, `${who.en} ${doesNot(who)} want to ${what.base}.`, who, what),
    ),
  ),
  pattern(
    'does one want to',
    45,
    3,
    cross(asked, scenes)
      .filter(([who, { what, where }]) => suits(who, what, where))
      .map(([who, { what, where }]) =>
        sentence(
          `${who.zh}想在${where.zh}${what.zh}吗？`,
          `${does(who)} ${who.en} want to ${what.base} ${where.at}?`,
          who,
          what,
        ),
      ),
  ),
  pattern(
    'should every day',
    30,
    2,
    people(
      [you, ...subjects],
      [...hobbies, ...skills].filter(({ zh }) => /跑步|游泳|看书|钢琴|汉语|英语|散步/.test(zh)),
    ).map(([who, what]) =>
      sentence(`${who.zh}应该每天${what.zh}。`, `${who.en} should ${what.habit.base} every day.`, who, what),
    ),
  ),
  pattern(
    'should do more',
    35,
    2,
    cross([you, youAll, ...subjects], better).map(([who, what]) =>
      sentence(`${who.zh}应该多${what.zh}。`, `${who.en} should ${what.base} more.`, who, what),
    ),
  ),
  pattern(
    'please do not',
    24,
    2,
    disturbances.flatMap((what) =>
      what.places.map((where) =>
        sentence(`请不要在${where.zh}${what.zh}。`, `please don't ${what.base} ${where.at}.`, where, what),
      ),
    ),
  ),
  pattern(
    'do not',
    25,
    2,
    cross([you, youAll, ...pronouns], disturbances).flatMap(([who, what]) =>
      what.places.map((where) =>
        sentence(
          `${who.zh}不应该在${where.zh}${what.zh}。`,
          `${who.en} shouldn't ${what.base} ${where.at}.`,
          where,
          what,
        ),
      ),
    ),
  ),
  pattern(
    'let us',
    25,
    2,
    [...hobbies, ...activities.filter(({ kind }) => kind === 'meal' || kind === 'study')].flatMap((what) => [
      sentence(`我们${what.zh}吧。`, `let's ${what.base}.`, what),
      sentence(`我们明天${what.zh}吧。`, `let's ${what.base} tomorrow.`, what),
    ]),
  ),
  pattern(
    'may one',
    35,
    2,
    cross([i, we], permitted).map(([who, { what, where }]) =>
      sentence(`${who.zh}可以在${where.zh}${what.zh}吗？`, `may ${who.en} ${what.base} ${where.at}?`, where, what),
    ),
  ),
];
