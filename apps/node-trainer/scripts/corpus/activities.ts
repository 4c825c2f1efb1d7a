import { type Verb, verb } from './english.js';
import type { Person } from './people.js';
import * as at from './places.js';

/** What people do, and where it makes sense. */
export interface Activity extends Verb {
  readonly zh: string;
  readonly places: readonly at.Place[];
  /** Who does it: `work` is not for children and grandparents, `study` for the young, `sport` not for grandparents. */
  readonly kind: 'leisure' | 'work' | 'study' | 'sport' | 'meal';
  /** What one does again and again: `watch films`, where one evening it is `watch a film`. */
  readonly habit: Verb;
}

const activity = (
  zh: string,
  english: Verb,
  kind: Activity['kind'],
  places: readonly at.Place[],
  habit: Verb = english,
): Activity => ({ zh, ...english, kind, places, habit });

export const activities = [
  activity('做饭', verb('cook'), 'leisure', [at.home, at.kitchen]),
  activity('看书', verb('read'), 'leisure', [at.home, at.library, at.park, at.garden, at.coffeeShop]),
  activity('看电视', verb('watch', 'TV'), 'leisure', [at.home, at.livingRoom]),
  activity('看电影', verb('watch', 'a film'), 'leisure', [at.home, at.cinema], verb('watch', 'films')),
  activity('听音乐', verb('listen', 'to music'), 'leisure', [at.home, at.livingRoom, at.park]),
  activity('弹钢琴', verb('play', 'the piano'), 'leisure', [at.home, at.livingRoom, at.school]),
  activity('唱歌', verb('sing'), 'leisure', [at.home, at.park, at.square]),
  activity('跳舞', verb('dance'), 'leisure', [at.park, at.square, at.gym]),
  activity('画画', verb('paint'), 'leisure', [at.park, at.garden, at.lakeside, at.seaside]),
  activity('拍照', verb('take', 'photos'), 'leisure', [at.park, at.seaside, at.lakeside, at.square, at.museum]),
  activity('下棋', verb('play', 'chess'), 'leisure', [at.home, at.park, at.garden]),
  activity('散步', verb('take', 'a walk'), 'leisure', [at.park, at.lakeside, at.seaside]),
  activity('跑步', verb('run'), 'sport', [at.park, at.lakeside, at.square]),
  activity('游泳', verb('swim'), 'sport', [at.pool]),
  activity('踢足球', verb('play', 'football'), 'sport', [at.park, at.school]),
  activity('打篮球', verb('play', 'basketball'), 'sport', [at.gym, at.school]),
  activity('打网球', verb('play', 'tennis'), 'sport', [at.gym, at.school]),
  activity('打羽毛球', verb('play', 'badminton'), 'sport', [at.gym, at.park]),
  activity('学习', verb('study'), 'study', [at.home, at.library, at.classroom]),
  activity('工作', verb('work'), 'work', [at.home, at.office, at.hospital]),
  activity('吃午饭', verb('have', 'lunch'), 'meal', [at.home, at.restaurant, at.school, at.office]),
  activity('吃晚饭', verb('have', 'dinner'), 'meal', [at.home, at.restaurant]),
];

/** Those that people like or dislike as such. */
export const hobbies = activities.filter(({ kind, zh }) => kind === 'sport' || (kind === 'leisure' && zh !== '散步'));

/** What one can be able to do. */
export const skills = [
  ...activities.filter(
    ({ kind, zh }) => (kind === 'sport' && zh !== '跑步') || ['做饭', '弹钢琴', '跳舞', '下棋'].includes(zh),
  ),
  ...[
    activity('说汉语', verb('speak', 'Chinese'), 'leisure', []),
    activity('说英语', verb('speak', 'English'), 'leisure', []),
    activity('说法语', verb('speak', 'French'), 'leisure', []),
    activity('开车', verb('drive'), 'work', []),
    activity('骑自行车', verb('ride', 'a bike'), 'sport', []),
  ],
];

/** What may bother others, and where. */
export const disturbances = [
  activity('抽烟', verb('smoke'), 'leisure', [at.hospital, at.library, at.office, at.restaurant, at.cinema, at.museum]),
  activity('唱歌', verb('sing'), 'leisure', [at.hospital, at.library, at.classroom, at.office]),
  activity('跑步', verb('run'), 'leisure', [at.classroom, at.library, at.museum]),
  activity('拍照', verb('take', 'photos'), 'leisure', [at.museum, at.cinema, at.hospital, at.library]),
];

/** What one can do at home as well as for others. */
export const chores = [
  activity('做饭', verb('cook'), 'leisure', []),
  activity('洗衣服', verb('do', 'the laundry'), 'leisure', []),
  activity('打扫房间', verb('clean', 'the room'), 'leisure', []),
];

const unsuited: Readonly<Record<Activity['kind'], readonly Person['age'][]>> = {
  leisure: [],
  meal: [],
  sport: ['old'],
  study: ['adult', 'old'],
  work: ['young', 'old'],
};

/** Whether one would say it of that person, there if a place is given: only the young are at school. */
export function suits(who: Person, { kind }: Activity, where?: at.Place): boolean {
  if ((where === at.school || where === at.classroom) && unsuited.study.includes(who.age)) return false;
  if (where === at.office && unsuited.work.includes(who.age)) return false;
  return !unsuited[kind].includes(who.age);
}

/** Every activity in every place that fits it. */
export const scenes = activities.flatMap((what) => what.places.map((where) => ({ what, where })));
