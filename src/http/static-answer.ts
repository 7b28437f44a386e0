import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CODE_FOLDER } from '../node/package-files.ts';
import { compressed } from './content-coding.ts';
import { EncodedAnswer, type EncodedAnswerOptions } from './encoded-answer.ts';

const PREPARED = new URL('prepared/', CODE_FOLDER);

/** Name of the file that holds a compressed form. The name depends on the content, so a form never outlives it. */
export function preparedName(bytes: Uint8Array, coding: 'br' | 'gzip'): string {
  return `${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}.${coding}`;
}

/** The answer for content that seldom changes. Its compressed forms come from the build, if it made them. */
export function staticAnswer(
  bytes: Uint8Array,
  options: Omit<EncodedAnswerOptions, 'tagged' | 'compress'>,
  folder: URL = PREPARED,
): EncodedAnswer {
  const compress = (content: Uint8Array, coding: 'br' | 'gzip') => preparedForm(content, coding, folder);
  return new EncodedAnswer(bytes, { ...options, tagged: true, compress });
}

async function preparedForm(bytes: Uint8Array, coding: 'br' | 'gzip', folder: URL): Promise<Uint8Array> {
  try {
    return await readFile(new URL(preparedName(bytes, coding), folder));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    // Run from source, written for this deployment, or of another version of a package than the one that was built.
    return await compressed(bytes, coding, 'good');
  }
}
