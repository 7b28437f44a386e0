import { readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';
import type { ErrorContext } from '../../errors/context.ts';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';

type FileKind = ErrorContext['CATALOGUE_INVALID']['kind'];

interface FileRules {
  /** A catalogue by default. */
  readonly kind?: FileKind;
  readonly maxBytes?: number;
}

/** The content of a JSON file. @throws CATALOGUE_INVALID, also for a file of more than `maxBytes` */
export async function readOperatorFile(
  path: string,
  { kind, maxBytes = Number.POSITIVE_INFINITY }: FileRules = {},
): Promise<unknown> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) {
      throw invalid(path, [`the file has ${size} bytes, and at most ${maxBytes} are allowed`], kind);
    }
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    if (cause instanceof SluiceError) throw cause;
    const problem = cause instanceof SyntaxError ? 'not valid JSON' : 'the file cannot be read';
    throw new SluiceError(
      'CATALOGUE_INVALID',
      { source: path, problems: [problem], ...(kind && { kind }) },
      { cause },
    );
  }
}

/** More would not be read, and a file may have as many as lines. */
const SHOWN_PROBLEMS = 50;

/** @param origin of the file, for the message */
export function invalid(origin: string, problems: readonly string[], kind?: FileKind): CodedError {
  const more = problems.length - SHOWN_PROBLEMS;
  const shown = more > 0 ? [...problems.slice(0, SHOWN_PROBLEMS), `and ${more} more`] : problems;
  return new SluiceError('CATALOGUE_INVALID', { source: origin, problems: shown, ...(kind && { kind }) });
}

export function issueText({ path, message }: z.core.$ZodIssue): string {
  return `${
    path
      .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
      .join('')
      .replace(/^\./, '') || 'the file'
  }: ${message}`;
}

/** A sentence for each item of a list whose key an earlier one has. */
export function repeated(list: string, field: string, keys: readonly string[]): string[] {
  const first = new Map<string, number>();
  return keys.flatMap((key, i) => {
    const earlier = first.get(key);
    if (earlier === undefined) first.set(key, i);
    return earlier === undefined ? [] : [`${list}[${i}].${field}: duplicates ${list}[${earlier}].${field}`];
  });
}
