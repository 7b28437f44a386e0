import type { z } from 'zod';
import type { Source } from './source.ts';

/** The result of a request. After `failed`, further requests for the same subject are pointless. */
export type Read<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'unusable' | 'failed'; readonly problem: string };

const MAX_ISSUES = 3;

/** Requests a path and validates the whole response before any of it is used. */
export async function readAnswer<T>(
  source: Source,
  path: string,
  query: Readonly<Record<string, string>>,
  schema: z.ZodType<T>,
): Promise<Read<T>> {
  const target = `${path}${Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`}`;
  const answer = await source.get(path, query);
  if (answer.kind !== 'body') return { kind: answer.kind, problem: `${target}: ${answer.reason}` };
  const checked = schema.safeParse(answer.body);
  if (checked.success) return { kind: 'value', value: checked.data };
  const issues = checked.error.issues
    .slice(0, MAX_ISSUES)
    .map((issue) => `${issue.path.map(String).join('.') || 'response'} ${issue.message}`);
  return {
    kind: 'unusable',
    problem: `${target}: malformed response, nothing imported: ${issues.join('; ')}`,
  };
}
