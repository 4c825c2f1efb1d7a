// What people say when they meet, with and without a mark at the end.
import { cross, type Pattern, pattern, sentence } from '../pattern.js';
import { firstNames, he, i, she, titled } from '../people.js';
import { cities, countries } from '../places.js';

const hosts = [
  { zh: '我家', en: 'my home' },
  { zh: '我们家', en: 'our home' },
  { zh: '我们学校', en: 'our school' },
  { zh: '我们公司', en: 'our company' },
];

const marks = [
  { zh: '', en: '' },
  { zh: '。', en: '.' },
  { zh: '！', en: '!' },
];

const welcomes = (places: readonly { zh: string; en: string }[]) =>
  cross(places, ['欢迎来', '欢迎你来', '欢迎你们来'], marks).map(([where, words, mark]) =>
    sentence(`${words}${where.zh}${mark.zh}`, `welcome to ${where.en}${mark.en}`, where),
  );

const returns = cross([...cities, ...countries], marks)
  .filter(([where]) => where.en !== 'Beijing')
  .map(([where, mark]) => sentence(`欢迎回到${where.zh}${mark.zh}`, `welcome back to ${where.en}${mark.en}`, where));

const salutations = [
  { zh: '你好', en: 'hello' },
  { zh: '早上好', en: 'good morning' },
  { zh: '晚上好', en: 'good evening' },
  { zh: '晚安', en: 'good night' },
  { zh: '再见', en: 'goodbye' },
  { zh: '谢谢', en: 'thank you' },
  { zh: '对不起', en: 'sorry' },
  { zh: '生日快乐', en: 'happy birthday' },
  { zh: '新年快乐', en: 'happy New Year' },
];

const addressed = [...firstNames, ...titled, { zh: '妈妈', en: 'Mum' }, { zh: '爸爸', en: 'Dad' }];

const phrases = [
  ['很高兴认识你。', 'Nice to meet you.'],
  ['不客气。', "You're welcome."],
  ['没关系。', 'Never mind.'],
  ['你好吗？', 'How are you?'],
  ['明天见！', 'See you tomorrow!'],
  ['你叫什么名字？', 'What is your name?'],
  ['现在几点？', 'What time is it now?'],
  ['请等一下。', 'Please wait a moment.'],
] as const;

const named = [
  ...firstNames.map((name) => ({ who: i, name })),
  ...firstNames.map((name) => ({ who: name.possessive === 'his' ? he : she, name })),
];

export const greetings: Pattern[] = [
  pattern('welcome', 110, 3, welcomes([...cities, ...countries]), '欢迎来北京'),
  pattern('welcome here', 25, 0, welcomes(hosts)),
  pattern('welcome back', 40, 2, returns),
  pattern(
    'greeting',
    70,
    5,
    cross(salutations, addressed, [marks[0], marks[2]]).flatMap(([words, name, mark]) => [
      sentence(`${words.zh}，${name.zh}${mark?.zh}`, `${words.en}, ${name.en}${mark?.en}`, words, name),
      sentence(`${name.zh}，${words.zh}${mark?.zh}`, `${words.en}, ${name.en}${mark?.en}`, words, name),
    ]),
  ),
  pattern(
    'greeting alone',
    24,
    0,
    cross(salutations, marks).map(([words, mark]) => sentence(`${words.zh}${mark.zh}`, `${words.en}${mark.en}`, words)),
  ),
  pattern(
    'phrase',
    phrases.length,
    0,
    phrases.map(([zh, en]) => sentence(zh, en, { zh })),
  ),
  pattern(
    'name',
    10,
    1,
    named.map(({ who, name }) =>
      sentence(`${who.zh}叫${name.zh}。`, `${who.possessive} name is ${name.en}.`, who, name),
    ),
  ),
];
