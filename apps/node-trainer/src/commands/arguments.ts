import { InvalidArgumentError, Option } from 'commander';

// Parsers of option values; commander adds the option's name to their message.

export function wholeNumber(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < minimum) {
      throw new InvalidArgumentError(`It must be a whole number of at least ${minimum}.`);
    }
    if (value > maximum) throw new InvalidArgumentError(`It must be at most ${maximum}.`);
    return value;
  };
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0 && Number.isFinite(value))) throw new InvalidArgumentError('It must be a number over 0.');
  return value;
}

/** A number of items, or a share of them below 1. */
export function sizeOrShare(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0) || (value >= 1 && !Number.isInteger(value))) {
    throw new InvalidArgumentError('It must be a whole number, or a share below 1.');
  }
  return value;
}

export function commaList<Name extends string>(known: readonly Name[]): (text: string) => Name[] {
  return (text) =>
    text.split(',').map((part) => {
      const name = known.find((candidate) => candidate === part.trim());
      if (name === undefined) throw new InvalidArgumentError(`"${part}" is none of ${known.join(', ')}.`);
      return name;
    });
}

/** For an option that may be given several times. */
export function collect(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}

export function onInvalidOption(purpose: string, policies: readonly string[] = ['error', 'skip', 'replace']): Option {
  return new Option('--on-invalid <policy>', purpose).choices(policies).default('error');
}

export function quietOption(): Option {
  return new Option('--quiet', 'no progress bar');
}
