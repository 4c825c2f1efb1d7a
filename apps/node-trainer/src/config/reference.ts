import { z } from 'zod';

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
}

/** The reference page of a config schema as Markdown: a table for each section, a row for each key. */
export function referencePage(schema: z.ZodType, introduction: string): string {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema;
  const sections: string[] = [];
  visit('', root, sections);
  return `${introduction.trim()}\n\n${sections.join('\n\n')}\n`;
}

function visit(path: string, node: JsonSchema, sections: string[]): void {
  const entries = Object.entries(node.properties ?? {});
  const rows = entries
    .filter(([, child]) => objectOf(child) === undefined)
    .map(
      ([key, child]) =>
        `| \`${key}\` | ${describeType(child)} | ${describeDefault(child)} | ${cell(child.description ?? '')} |`,
    );
  if (rows.length > 0 || node.description !== undefined) {
    const heading = path === '' ? '## Top level' : `## ${path}`;
    const table = ['| key | value | default | meaning |', '|---|---|---|---|', ...rows].join('\n');
    sections.push([heading, node.description, rows.length > 0 ? table : undefined].filter(Boolean).join('\n\n'));
  }
  for (const [key, child] of entries) {
    const object = objectOf(child);
    if (object === undefined) continue;
    const description = child.description ?? object.description;
    visit(
      path === '' ? key : `${path}.${key}`,
      description === undefined ? object : { ...object, description },
      sections,
    );
  }
}

function objectOf(node: JsonSchema): JsonSchema | undefined {
  if (node.properties !== undefined) return node;
  const objects = (node.anyOf ?? []).filter((option) => option.properties !== undefined);
  const others = (node.anyOf ?? []).filter((option) => option.properties === undefined && option.type !== 'null');
  return objects.length === 1 && others.length === 0 ? objects[0] : undefined;
}

function describeType(node: JsonSchema): string {
  if (node.anyOf !== undefined) return node.anyOf.map(describeType).join(' or ');
  if (node.enum !== undefined) return node.enum.map((value) => `\`${String(value)}\``).join(', ');
  if (node.const !== undefined) return `\`${String(node.const)}\``;
  if (node.properties !== undefined) {
    return `{ ${Object.entries(node.properties)
      .map(([key, child]) => `\`${key}\`: ${describeType(child)}`)
      .join(', ')} }`;
  }
  if (Array.isArray(node.type)) return node.type.map((type) => describeType({ ...node, type })).join(' or ');
  if (node.prefixItems !== undefined) return `[${node.prefixItems.map(describeType).join(', ')}]`;
  if (node.type === 'array') return `list of ${node.items === undefined ? 'values' : describeType(node.items)}`;
  if (node.type === 'integer') return `whole number${range(node)}`;
  return `${String(node.type ?? 'any')}${range(node)}`;
}

function range(node: JsonSchema): string {
  const low =
    node.exclusiveMinimum !== undefined
      ? `> ${node.exclusiveMinimum}`
      : node.minimum !== undefined
        ? `≥ ${node.minimum}`
        : '';
  const bounded = node.maximum !== undefined && node.maximum < Number.MAX_SAFE_INTEGER;
  const high = node.exclusiveMaximum !== undefined ? `< ${node.exclusiveMaximum}` : bounded ? `≤ ${node.maximum}` : '';
  const limits = [low, high].filter((limit) => limit !== '' && !limit.includes('-9007199254740991'));
  return limits.length === 0 ? '' : ` ${limits.join(', ')}`;
}

function describeDefault(node: JsonSchema): string {
  return node.default === undefined ? '' : `\`${JSON.stringify(node.default)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<').replaceAll('\n', ' ');
}
