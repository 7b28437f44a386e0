import type { z } from 'zod';
import type { Source } from './source.ts';

/** What a question gave. After `failed` further questions about the same subject are not worth asking. */
export type Read<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'unusable' | 'failed'; readonly problem: string };

const MOST_ISSUES = 3;

/** Asks, and checks the whole answer before any of it is used. */
export async function readAnswer<T>(
  source: Source,
  path: string,
  query: Readonly<Record<string, string>>,
  schema: z.ZodType<T>,
): Promise<Read<T>> {
  const asked = `${path}${Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`}`;
  const answer = await source.get(path, query);
  if (answer.kind !== 'body') return { kind: answer.kind, problem: `${asked}: ${answer.reason}` };
  const checked = schema.safeParse(answer.body);
  if (checked.success) return { kind: 'value', value: checked.data };
  const issues = checked.error.issues
    .slice(0, MOST_ISSUES)
    .map((issue) => `${issue.path.map(String).join('.') || 'answer'} ${issue.message}`);
  return { kind: 'unusable', problem: `${asked}: malformed, nothing of it is taken: ${issues.join('; ')}` };
}
