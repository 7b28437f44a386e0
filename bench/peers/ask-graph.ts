import { isDeepStrictEqual } from 'node:util';
import type { Question } from './questions.ts';

interface Answer<T> {
  readonly data?: T | null;
  readonly errors?: readonly { readonly message: string }[];
}

const RETRY_MS = 5;
const PATIENCE_MS = 120_000;

/** Asks until there is an answer: a server may listen before it can answer. */
export async function askGraph<T>(url: string, question: Question): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  let said = '';
  while (performance.now() < until) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(question),
    });
    said = await response.text();
    const { data, errors } = JSON.parse(said) as Answer<T>;
    if (errors === undefined && data !== undefined && data !== null) return data;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new Error(`${url} does not answer: ${said.slice(0, 500)}`);
}

/** Throws when a server gives another answer from the same schema. */
export function mustEqual(who: string, ours: unknown, theirs: unknown): void {
  if (!isDeepStrictEqual(ours, theirs)) throw new Error(`${who} gives another answer than we do`);
}
