/** When something happens. */
export interface Time {
  readonly zh: string;
  readonly en: string;
  /** It names a part of the day, which does not go with meals. */
  readonly partOfDay?: boolean;
}

const time = (zh: string, en: string): Time => ({ zh, en });
const part = (zh: string, en: string): Time => ({ zh, en, partOfDay: true });

export const yesterday = time('昨天', 'yesterday');
export const today = time('今天', 'today');
export const tomorrow = time('明天', 'tomorrow');

export const lastWeekend = time('上个周末', 'last weekend');
export const tonight = part('今天晚上', 'tonight');
export const thisWeekend = time('这个周末', 'this weekend');

export const pastTimes = [
  yesterday,
  part('昨天晚上', 'last night'),
  part('昨天下午', 'yesterday afternoon'),
  part('今天早上', 'this morning'),
  lastWeekend,
  time('上个星期', 'last week'),
];

export const futureTimes = [
  tomorrow,
  time('后天', 'the day after tomorrow'),
  tonight,
  part('明天下午', 'tomorrow afternoon'),
  thisWeekend,
  time('下个星期', 'next week'),
];

export const repeatedTimes = [
  time('每天', 'every day'),
  part('每天早上', 'every morning'),
  part('每天晚上', 'every evening'),
  time('每个周末', 'every weekend'),
  time('每个星期天', 'every Sunday'),
];

/** Long enough ago, or far enough ahead, for a journey. */
export const pastJourneyTimes = [
  ...pastTimes.slice(-2),
  time('上个月', 'last month'),
  time('去年', 'last year'),
  yesterday,
];
export const futureJourneyTimes = [
  ...futureTimes.slice(-2),
  time('下个月', 'next month'),
  time('明年', 'next year'),
  tomorrow,
];

/** Adverbs of frequency, which stand before the verb in both languages. */
export const frequencies = [time('常常', 'often'), time('有时候', 'sometimes'), time('很少', 'rarely')];

const hours = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const digits = ['一', '两', '三', '四', '五', '六', '七', '八', '九', '十', '十一', '十二'];

/** The full and the half hour: 七点 is seven o'clock, 七点半 half past seven. */
export function clockTimes(...wanted: readonly number[]): Time[] {
  return wanted.flatMap((hour) => [
    time(`${digits[hour - 1]}点`, `${hours[hour - 1]} o'clock`),
    time(`${digits[hour - 1]}点半`, `half past ${hours[hour - 1]}`),
  ]);
}
