// In how many ways a pattern can match the same text: JavaScript's regular expressions may try them all before they give up.
import { type PatternGraph, PatternTooLarge, patternGraph } from './pattern-graph.js';
import { componentsOf } from './strong-components.js';

const MOST_REPETITIONS = 2;
const MOST_WAYS = 1000;
/** Characters below are tried, and those that the pattern names. */
const BEGINNING = 0x3400;

/**
 * Why a pattern (of JavaScript, in Unicode mode) could take for ever on some text, as a clause; undefined where no reason is found.
 *
 * It looks for a repeated part that matches some text in two ways, such as `(a+)+` or `(a|a)*`: the time doubles with every repetition
 * of that text (Weber and Seidl 1991). And for more than two repetitions, or many optional parts, that follow each other and take the
 * same character, such as `a*a*a*` or thirty times `a?`.
 *
 * What it lets pass may still be slow, though not exponentially so: two repetitions in a row take time with the cube of the length of
 * a run of one character (`\s*[\r\n]+` is such a pair, and in use), and repetitions that only share longer texts, such as
 * `(ab)*(ab)*(ab)*`, are not counted. What anchors and look-arounds rule out is not seen, so it refuses some patterns that are quick.
 * Characters beyond U+33FF are tried only where the pattern names them.
 */
export function tooManyWays(source: string): string | undefined {
  try {
    const graph = patternGraph(source);
    const takes = takenBy(graph);
    if (hasAmbiguousLoop(graph, takes)) return 'a repeated part matches some text in two ways';
    const letters = takes.reduce((all, some) => all | some, 0n).toString(2).length;
    for (let letter = 0; letter < letters; letter++) {
      const { repetitions, ways } = runOf(graph, takes, 1n << BigInt(letter));
      if (repetitions > MOST_REPETITIONS) return `${repetitions} repetitions in a row take the same character`;
      if (ways > MOST_WAYS) return `it matches a run of one character in more than ${MOST_WAYS} ways`;
    }
    return undefined;
  } catch (error) {
    if (error instanceof PatternTooLarge) return error.message;
    throw error;
  }
}

/** For each node the characters it takes, as bits; characters that all nodes take or leave alike share a bit. */
function takenBy({ nodes, named }: PatternGraph): bigint[] {
  const distinct = [...new Set(nodes)];
  const tests = distinct.map((taken) => new RegExp(taken, 'u'));
  const groups = new Set<string>();
  const look = (codePoint: number) => {
    const character = String.fromCodePoint(codePoint);
    groups.add(tests.map((test) => (test.test(character) ? 1 : 0)).join(''));
  };
  for (let codePoint = 0; codePoint < BEGINNING; codePoint++) look(codePoint);
  named.forEach(look);
  const bits = new Map(
    distinct.map((taken, i) => [taken, BigInt(`0b${[...groups].map((group) => group[i]).join('')}`)]),
  );
  return nodes.map((taken) => bits.get(taken) as bigint);
}

/** Whether two different ways lead from a node back to it over the same text. */
function hasAmbiguousLoop({ edges }: PatternGraph, takes: readonly bigint[]): boolean {
  const component = componentsOf(edges);
  const inLoops = edges.map((to, from) => [...to].filter(([node]) => component[node] === component[from]));
  if (inLoops.flat().some(([, ways]) => ways > 1)) return true;
  const following = inLoops.map((to) => to.map(([node]) => node));
  // Pairs of nodes that two ways over one text have come to since they parted.
  const seen = new Set<number>();
  const waiting: [number, number][] = [];
  const visit = (one: number, other: number) => {
    const key = one * edges.length + other;
    if (seen.has(key) || ((takes[one] as bigint) & (takes[other] as bigint)) === 0n) return;
    seen.add(key);
    waiting.push([one, other]);
  };
  const pairs = (one: number, other: number, use: (one: number, other: number) => void) => {
    for (const a of following[one] as number[]) for (const b of following[other] as number[]) use(a, b);
  };
  for (let node = 0; node < edges.length; node++) pairs(node, node, (a, b) => a < b && visit(a, b));
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (pair[0] === pair[1]) return true;
    pairs(...pair, visit);
  }
  return false;
}

/** A run of one character: the most repetitions on a way through the nodes that take it, and the most ways to one of them. */
function runOf({ edges }: PatternGraph, takes: readonly bigint[], letter: bigint) {
  const taken = (node: number) => ((takes[node] as bigint) & letter) !== 0n;
  const within = edges.map((to, from) => new Map(taken(from) ? [...to].filter(([node]) => taken(node)) : []));
  const component = componentsOf(within);
  const members: number[][] = [];
  component.forEach((id, node) => {
    members[id] = [...(members[id] ?? []), node];
  });
  const ways: number[] = [];
  const repetitions: number[] = [];
  // Components are numbered from the last: what leads to one has a higher number.
  for (let id = members.length - 1; id >= 0; id--) {
    ways[id] = Math.max(1, ways[id] ?? 0);
    const leaving = (members[id] as number[]).flatMap((node) => [...(within[node] as Map<number, number>)]);
    const loops = leaving.some(([node]) => component[node] === id);
    repetitions[id] = (repetitions[id] ?? 0) + (loops ? 1 : 0);
    for (const [node, times] of leaving) {
      const next = component[node] as number;
      if (next === id) continue;
      ways[next] = (ways[next] ?? 0) + times * (ways[id] as number);
      repetitions[next] = Math.max(repetitions[next] ?? 0, repetitions[id] as number);
    }
  }
  return { ways: Math.max(...ways), repetitions: Math.max(...repetitions) };
}
