// A regular expression as a graph: a node for each place that takes one character, an edge where one may follow another, with the
// number of ways to get there without taking a character (Glushkov's automaton, with multiplicities).
import regjsparser, { type AstNode, type Features } from 'regjsparser';

/** A pattern that is too large to be judged; the message is a clause. */
export class PatternTooLarge extends Error {
  override readonly name = 'PatternTooLarge';
}

export interface PatternGraph {
  /** What each node takes, as a pattern of one character. */
  readonly nodes: readonly string[];
  /** For each node those that may follow, with the number of ways. */
  readonly edges: readonly ReadonlyMap<number, number>[];
  /** Characters that the pattern names. */
  readonly named: ReadonlySet<number>;
}

/** The ends of a part of the pattern: nodes it may begin and end with, and in how many ways it may take nothing. */
interface Part {
  readonly first: ReadonlyMap<number, number>;
  readonly last: ReadonlyMap<number, number>;
  readonly empty: number;
}

const features = { lookbehind: true, namedGroups: true, unicodePropertyEscape: true } satisfies Features;
type Node = AstNode<typeof features>;

const MOST_NODES = 1000;
const MOST_EDGES = 4000;
const ANY = '[^]';
const NOTHING: Part = { first: new Map(), last: new Map(), empty: 1 };

/**
 * The graph of a pattern in JavaScript's Unicode mode. Look-arounds are graphs of their own beside it; a reference to a group may take
 * anything; a bounded repetition over more than one number of times counts as an unbounded one.
 *
 * @throws PatternTooLarge
 */
export function patternGraph(source: string): PatternGraph {
  const nodes: string[] = [];
  const edges: Map<number, number>[] = [];
  const named = new Set<number>();
  let edgeCount = 0;
  whole(regjsparser.parse(source, 'u', features));
  return { nodes, edges, named };

  /** A pattern between two nodes that stand for what is before and behind it. */
  function whole(node: Node): void {
    inTurn([character(ANY), part(node), character(ANY)]);
  }

  function part(node: Node): Part {
    switch (node.type) {
      case 'alternative':
        return inTurn(node.body.map(part));
      case 'disjunction':
        return oneOf(node.body.map(part));
      case 'quantifier':
        return repeated(node.body[0] as Node, node.min, node.max ?? Infinity);
      case 'anchor':
        return NOTHING;
      case 'reference':
        return atLeastOnce(character(ANY));
      case 'group': {
        const body = { ...node, type: 'alternative' } as unknown as Node;
        if (node.behavior === 'normal' || node.behavior === 'ignore') return part(body);
        whole(body);
        return NOTHING;
      }
      default:
        name(node);
        return character(node.raw);
    }
  }

  function name(node: Node): void {
    if (node.type === 'value') named.add(node.codePoint);
    else if (node.type === 'characterClassRange') [node.min, node.max].forEach(name);
    else if (node.type === 'characterClass') node.body.forEach((within) => void name(within as Node));
  }

  function character(taken: string): Part {
    if (nodes.length === MOST_NODES) throw new PatternTooLarge(`it has more than ${MOST_NODES} parts`);
    const ends = new Map([[nodes.length, 1]]);
    nodes.push(taken);
    edges.push(new Map());
    return { first: ends, last: ends, empty: 0 };
  }

  function inTurn(parts: Part[]): Part {
    return parts.reduce((before, behind) => {
      link(before, behind);
      return {
        first: sum(before.first, behind.first, before.empty),
        last: sum(behind.last, before.last, behind.empty),
        empty: before.empty * behind.empty,
      };
    }, NOTHING);
  }

  function oneOf(parts: Part[]): Part {
    const empty = parts.reduce((total, other) => total + other.empty, 0);
    const union = (ends: 'first' | 'last') => new Map(parts.flatMap((other) => [...other[ends]]));
    return { first: union('first'), last: union('last'), empty };
  }

  function repeated(body: Node, min: number, max: number): Part {
    const copies: Part[] = [];
    for (let i = max > min + 1 ? 1 : 0; i < min; i++) copies.push(part(body));
    if (max > min + 1) copies.push(min > 0 ? atLeastOnce(part(body)) : orNothing(atLeastOnce(part(body))));
    else if (max > min) copies.push(orNothing(part(body)));
    return inTurn(copies);
  }

  function atLeastOnce(body: Part): Part {
    link(body, body);
    return body;
  }

  function link(before: Part, behind: Part): void {
    for (const [from, waysOut] of before.last) {
      const following = edges[from] as Map<number, number>;
      for (const [to, waysIn] of behind.first) {
        if (!following.has(to)) edgeCount += 1;
        following.set(to, (following.get(to) ?? 0) + waysOut * waysIn);
      }
      if (edgeCount > MOST_EDGES) throw new PatternTooLarge(`its parts follow each other in over ${MOST_EDGES} ways`);
    }
  }
}

/** A turn that takes nothing counts for none, as it does in JavaScript. */
function orNothing(body: Part): Part {
  return { ...body, empty: Math.max(1, body.empty) };
}

function sum(
  ends: ReadonlyMap<number, number>,
  others: ReadonlyMap<number, number>,
  times: number,
): ReadonlyMap<number, number> {
  return times === 0 ? ends : new Map([...ends, ...[...others].map(([node, ways]) => [node, ways * times] as const)]);
}
