import { isDeepStrictEqual } from 'node:util';
import type { GraphRequest } from './queries.ts';

interface Answer<T> {
  readonly data?: T | null;
  readonly errors?: readonly { readonly message: string }[];
}

const RETRY_MS = 5;
const TIMEOUT_MS = 120_000;

/** Retries until there is data: a server may listen before it can answer. */
export async function askGraph<T>(url: string, request: GraphRequest): Promise<T> {
  const until = performance.now() + TIMEOUT_MS;
  let text = '';
  while (performance.now() < until) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(request),
    });
    text = await response.text();
    const { data, errors } = JSON.parse(text) as Answer<T>;
    if (errors === undefined && data !== undefined && data !== null) return data;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new Error(`${url} does not answer: ${text.slice(0, 500)}`);
}

/** Throws when a server of the same schema returns a different answer. */
export function mustEqual(contender: string, ours: unknown, theirs: unknown): void {
  if (!isDeepStrictEqual(ours, theirs)) throw new Error(`${contender} returns a different answer`);
}
