import { withArticle } from './english.js';

/** Something that can be counted: 三{measure}{zh} is `three {plural}`. */
export interface Thing {
  readonly zh: string;
  readonly measure: string;
  readonly en: string;
  readonly plural: string;
}

const thing = (zh: string, measure: string, en: string, plural = `${en}s`): Thing => ({ zh, measure, en, plural });

export const book = thing('书', '本', 'book');
export const dictionary = thing('词典', '本', 'dictionary', 'dictionaries');
export const ticket = thing('票', '张', 'ticket');
export const photo = thing('照片', '张', 'photo');
export const umbrella = thing('雨伞', '把', 'umbrella');
export const key = thing('钥匙', '把', 'key');
export const phone = thing('手机', '部', 'phone');
export const computer = thing('电脑', '台', 'computer');
export const cup = thing('杯子', '个', 'cup');
export const schoolbag = thing('书包', '个', 'schoolbag');
export const shirt = thing('衬衫', '件', 'shirt');
export const sweater = thing('毛衣', '件', 'sweater');
export const coat = thing('大衣', '件', 'coat');
export const bike = thing('自行车', '辆', 'bike');
export const car = thing('汽车', '辆', 'car');
export const apple = thing('苹果', '个', 'apple');
export const orange = thing('橘子', '个', 'orange');
export const egg = thing('鸡蛋', '个', 'egg');
export const cat = thing('猫', '只', 'cat');
export const dog = thing('狗', '只', 'dog');
export const tea = thing('茶', '杯', 'cup of tea', 'cups of tea');
export const coffee = thing('咖啡', '杯', 'cup of coffee', 'cups of coffee');

export const reading = [book, dictionary];
export const clothes = [shirt, sweater, coat];
export const food = [apple, orange, egg];
export const drinks = [tea, coffee];
export const animals = [cat, dog];
/** What fits into a bag and gets lost. */
export const belongings = [umbrella, key, phone, book, dictionary];
/** What lies about in a room. */
export const smallThings = [...reading, ...belongings.slice(0, 3), ticket, photo, cup];
/** What somebody owns. */
export const property = [...belongings, computer, schoolbag, bike, car, ...clothes];

/** Somewhere in a room: 在{zh} is `{en}`. */
export interface Spot {
  readonly zh: string;
  readonly en: string;
  readonly holds: readonly Thing[];
}

const spots: readonly Spot[] = [
  { zh: '桌子上', en: 'on the table', holds: [...smallThings, ...food, computer] },
  { zh: '椅子上', en: 'on the chair', holds: [...reading, ...clothes, schoolbag] },
  { zh: '床上', en: 'on the bed', holds: [...clothes, book, phone] },
  { zh: '床下面', en: 'under the bed', holds: [schoolbag] },
  { zh: '书包里', en: 'in the schoolbag', holds: [...smallThings.filter((each) => each !== cup), orange, apple] },
  { zh: '箱子里', en: 'in the suitcase', holds: [...reading, ...clothes, photo] },
  { zh: '冰箱里', en: 'in the fridge', holds: food },
];

/** Every spot with everything that may be there. */
export const arrangements = spots.flatMap((spot) => spot.holds.map((what) => ({ what, spot })));

/** Where animals are found. */
export const lairs = [
  { zh: '花园里', en: 'in the garden', holds: animals },
  { zh: '床下面', en: 'under the bed', holds: [cat, dog] },
  { zh: '椅子上', en: 'on the chair', holds: [cat] },
].flatMap((spot) => spot.holds.map((what) => ({ what, spot })));

export interface Count {
  readonly zh: string;
  readonly en: string;
}

/** Numbers as they stand before a measure word: 两, not 二. */
export const counts: readonly Count[] = [
  { zh: '一', en: 'one' },
  { zh: '两', en: 'two' },
  { zh: '三', en: 'three' },
  { zh: '四', en: 'four' },
  { zh: '五', en: 'five' },
  { zh: '十', en: 'ten' },
];

const bulk = [ticket, photo, ...food];
/** What people have several of. */
export const collected = [book, dictionary, umbrella, key, cup, ...clothes, cat, dog, ...bulk];

/** Whether that many are likely: ten eggs, but no two cars. */
export function isLikely({ en }: Count, what: Thing): boolean {
  return bulk.includes(what) || en === 'one' || (['two', 'three'].includes(en) && collected.includes(what));
}

/** 一本书 → `a book`, 三本书 → `three books`. */
export function counted(count: Count, { zh, measure, en, plural }: Thing): Count {
  return { zh: `${count.zh}${measure}${zh}`, en: count.en === 'one' ? withArticle(en) : `${count.en} ${plural}` };
}
