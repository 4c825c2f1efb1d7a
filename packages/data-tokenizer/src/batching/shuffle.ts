import { type Random, seededRandom } from './random.js';

/** The items in an order that depends only on their number and the seed (Fisher–Yates). */
export function shuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const shuffled = [...items];
  shuffleInPlace(shuffled, seededRandom(seed));
  return shuffled;
}

/** Fisher–Yates on an array or typed array. */
export function shuffleInPlace<Item>(items: { [index: number]: Item; readonly length: number }, random: Random): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    const item = items[i] as Item;
    items[i] = items[j] as Item;
    items[j] = item;
  }
}
