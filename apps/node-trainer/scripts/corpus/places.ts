/** Somewhere one can be: `在{zh}` is `{at}`. */
export interface Place {
  readonly zh: string;
  /** Where something happens: `in the park`. */
  readonly at: string;
}

/** Somewhere one can go: `去{zh}` is `go to {en}`. */
export interface Destination {
  readonly zh: string;
  readonly en: string;
}

const place = (zh: string, at: string): Place => ({ zh, at });
const destination = (zh: string, en: string): Destination => ({ zh, en });

export const home = place('家', 'at home');
export const kitchen = place('厨房', 'in the kitchen');
export const livingRoom = place('客厅', 'in the living room');
export const garden = place('花园', 'in the garden');
export const park = place('公园', 'in the park');
export const library = place('图书馆', 'in the library');
export const school = place('学校', 'at school');
export const classroom = place('教室', 'in the classroom');
export const office = place('办公室', 'in the office');
export const hospital = place('医院', 'at the hospital');
export const restaurant = place('餐厅', 'at the restaurant');
export const coffeeShop = place('咖啡馆', 'at the coffee shop');
export const gym = place('体育馆', 'at the gym');
export const pool = place('游泳馆', 'at the swimming pool');
export const seaside = place('海边', 'by the sea');
export const lakeside = place('湖边', 'by the lake');
export const cinema = place('电影院', 'at the cinema');
export const supermarket = place('超市', 'at the supermarket');
export const square = place('广场', 'in the square');
export const museum = place('博物馆', 'in the museum');
export const station = place('火车站', 'at the train station');
export const airport = place('机场', 'at the airport');

export const cities = [
  destination('北京', 'Beijing'),
  destination('上海', 'Shanghai'),
  destination('广州', 'Guangzhou'),
  destination('深圳', 'Shenzhen'),
  destination('杭州', 'Hangzhou'),
  destination('南京', 'Nanjing'),
  destination('苏州', 'Suzhou'),
  destination('成都', 'Chengdu'),
  destination('香港', 'Hong Kong'),
  destination('伦敦', 'London'),
  destination('巴黎', 'Paris'),
  destination('纽约', 'New York'),
  destination('东京', 'Tokyo'),
];

export const chineseCities = cities.slice(0, 8);

export const countries = [
  destination('中国', 'China'),
  destination('英国', 'Britain'),
  destination('法国', 'France'),
  destination('德国', 'Germany'),
  destination('美国', 'America'),
  destination('日本', 'Japan'),
];

/** Places of everyday life, as places to go to. */
export const sights = [
  destination('公园', 'the park'),
  destination('图书馆', 'the library'),
  destination('医院', 'the hospital'),
  destination('超市', 'the supermarket'),
  destination('博物馆', 'the museum'),
  destination('电影院', 'the cinema'),
  destination('体育馆', 'the gym'),
  destination('海边', 'the seaside'),
  destination('机场', 'the airport'),
  destination('火车站', 'the train station'),
  destination('银行', 'the bank'),
  destination('书店', 'the bookshop'),
];
