// The little English morphology that the grammar needs.

/** The forms of a verb, each with its object: `{ base: 'play chess', third: 'plays chess', … }`. */
export interface Verb {
  readonly base: string;
  readonly third: string;
  readonly past: string;
  readonly participle: string;
  readonly ing: string;
}

/** How a verb agrees with its subject: I am, he is, we are. */
export type Agreement = 'first' | 'third' | 'plural';

/** base: third, past, participle, -ing form. Verbs not listed are regular. */
const irregular: Readonly<Record<string, readonly [string, string, string, string]>> = {
  do: ['does', 'did', 'done', 'doing'],
  drive: ['drives', 'drove', 'driven', 'driving'],
  get: ['gets', 'got', 'got', 'getting'],
  go: ['goes', 'went', 'gone', 'going'],
  have: ['has', 'had', 'had', 'having'],
  know: ['knows', 'knew', 'known', 'knowing'],
  read: ['reads', 'read', 'read', 'reading'],
  ride: ['rides', 'rode', 'ridden', 'riding'],
  run: ['runs', 'ran', 'run', 'running'],
  sing: ['sings', 'sang', 'sung', 'singing'],
  speak: ['speaks', 'spoke', 'spoken', 'speaking'],
  study: ['studies', 'studied', 'studied', 'studying'],
  swim: ['swims', 'swam', 'swum', 'swimming'],
  take: ['takes', 'took', 'taken', 'taking'],
  think: ['thinks', 'thought', 'thought', 'thinking'],
};

/** All forms of a verb followed by the same words: `verb('play', 'chess')`. */
export function verb(base: string, rest = ''): Verb {
  const stem = base.replace(/e$/, '');
  const regular = [/(ch|sh)$/.test(base) ? `${base}es` : `${base}s`, `${stem}ed`, `${stem}ed`, `${stem}ing`];
  const [third, past, participle, ing] = (irregular[base] ?? regular).map((form) => `${form} ${rest}`.trim());
  return { base: `${base} ${rest}`.trim(), third, past, participle, ing } as Verb;
}

/** The form in the simple present: `plays chess`, `play chess`. */
export function present(subject: { readonly agreement: Agreement }, { base, third }: Verb): string {
  return subject.agreement === 'third' ? third : base;
}

/** am, is, are. */
export function be({ agreement }: { readonly agreement: Agreement }): string {
  return { first: 'am', third: 'is', plural: 'are' }[agreement];
}

/** was, were. */
export function was({ agreement }: { readonly agreement: Agreement }): string {
  return agreement === 'plural' ? 'were' : 'was';
}

/** do, does. */
export function does({ agreement }: { readonly agreement: Agreement }): string {
  return agreement === 'third' ? 'does' : 'do';
}

/** have, has. */
export function has({ agreement }: { readonly agreement: Agreement }): string {
  return agreement === 'third' ? 'has' : 'have';
}

/** `an apple`, `a book`. */
export function withArticle(noun: string): string {
  return `${/^[aeio]|^umbrella/.test(noun) ? 'an' : 'a'} ${noun}`;
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
