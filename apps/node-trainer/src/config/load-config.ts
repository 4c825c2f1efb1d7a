import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { InputError } from '../errors.js';
import { applyOverrides, type Override } from './overrides.js';
import { type RunConfig, runConfigSchema } from './run-config.js';
import { type ConfigSource, type Path, parseConfigText } from './source.js';
import { validateConfig } from './validate.js';

/**
 * Reads a run's config with the overrides of the command line put in; paths in the file are made absolute, seen from the
 * file's own folder, and the name and the run's folder are filled in.
 *
 * @throws InputError for what is wrong, with file and line.
 */
export async function loadRunConfig(file: string, overrides: readonly Override[]): Promise<ResolvedConfig> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw Object.assign(error, { path: file }); // which Node does not say of a folder
  });
  const source = parseConfigText(text, file);
  const config = validateConfig(runConfigSchema, applyOverrides(source.value, overrides), source, overrides);
  checkTogether(config, source);
  const base = path.dirname(path.resolve(file));
  const name = config.name ?? path.basename(file).replace(/\.(ya?ml|json)$/i, '');
  return {
    ...config,
    name,
    out: path.resolve(config.out ?? path.join('runs', name)),
    data: resolvePaths(config.data, base),
  };
}

/** A config in which nothing depends on where it stood. */
export type ResolvedConfig = RunConfig & { readonly name: string; readonly out: string };

/** The config as YAML that `loadRunConfig` reads back to the same. */
export function configToYaml(config: RunConfig): string {
  return stringify(config, { lineWidth: 120 });
}

/** What `--data` means: a folder with the parts of a data set, or a file to train on. */
export async function dataOverrides(given: string): Promise<Override[]> {
  const flag = `--data ${given}`;
  const target = path.resolve(given);
  const isFolder = (await stat(target).catch(() => undefined))?.isDirectory() ?? false;
  const none = [
    ['data', 'corpus'],
    ['data', isFolder ? 'train' : 'folder'],
  ].map((at) => ({ path: at, value: null, flag }));
  return [...none, { path: ['data', isFolder ? 'folder' : 'train'], value: target, flag }];
}

// Rules that tie keys to each other, which the schema cannot say.
function checkTogether(config: RunConfig, source: ConfigSource): void {
  const fail = (at: Path, rule: string): never => {
    throw new InputError(rule, source.place(at));
  };
  const { data, text, training, model } = config;
  const given = (['corpus', 'folder', 'train'] as const).filter((key) => data[key] !== null);
  if (given.length === 0) fail(['data'], 'no data: set data.corpus, data.folder or data.train, or say --data FILE');
  if (given.length > 1)
    fail(['data'], `data.${given.join(' and data.')} are both given; one of them says where the pairs come from`);
  if ([training.epochs, training.steps, training.maxMinutes].every((limit) => limit === undefined)) {
    fail(['training'], 'the run has no end: set training.epochs, training.steps or training.maxMinutes');
  }
  if (text.share === 'merges' && text.source.tokenizer !== 'bpe') {
    fail(['text', 'share'], `text.share merges needs text.source.tokenizer bpe; got ${text.source.tokenizer}`);
  }
  if (model.hiddenSize !== null && model.preset === null) {
    fail(['model', 'hiddenSize'], 'model.hiddenSize belongs to a preset; set model.encoder.hiddenSize');
  }
}

function resolvePaths(data: RunConfig['data'], base: string): RunConfig['data'] {
  const absolute = (file: string) => path.resolve(base, file);
  const part = <Value>(value: Value): Value => {
    if (typeof value === 'string') return absolute(value) as Value;
    if (typeof value !== 'object' || value === null) return value;
    const { source, target } = value as unknown as { source: string; target: string };
    return { source: absolute(source), target: absolute(target) } as Value;
  };
  return {
    ...data,
    folder: part(data.folder),
    train: part(data.train),
    valid: part(data.valid),
    test: part(data.test),
  };
}
