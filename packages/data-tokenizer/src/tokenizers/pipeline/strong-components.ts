/** For each node the number of its strongly connected component (Tarjan 1972); an edge never leads to a higher number. */
export function componentsOf(edges: readonly ReadonlyMap<number, number>[]): number[] {
  const component: number[] = [];
  const order: number[] = [];
  const lowest: number[] = [];
  const open: number[] = [];
  let count = 0;
  let found = 0;
  const visit = (node: number) => {
    order[node] = lowest[node] = found++;
    open.push(node);
    for (const next of (edges[node] as ReadonlyMap<number, number>).keys()) {
      if (order[next] === undefined) visit(next);
      if (component[next] === undefined) lowest[node] = Math.min(lowest[node] as number, lowest[next] as number);
    }
    if (lowest[node] !== order[node]) return;
    for (let last = -1; last !== node; ) {
      last = open.pop() as number;
      component[last] = count;
    }
    count += 1;
  };
  edges.forEach((_, node) => {
    if (order[node] === undefined) visit(node);
  });
  return component;
}
