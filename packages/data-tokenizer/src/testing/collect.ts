/** Everything that an async iterable yields. (Array.fromAsync is younger than the oldest Node supported.) */
export async function collect<Item, Result = Item>(
  items: AsyncIterable<Item>,
  of: (item: Item) => Result = (item) => item as unknown as Result,
): Promise<Result[]> {
  const collected: Result[] = [];
  for await (const item of items) collected.push(of(item));
  return collected;
}
