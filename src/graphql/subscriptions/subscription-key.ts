import { createHash } from 'node:crypto';
import { type DocumentNode, type ExecutionArgs, getOperationAST, print } from 'graphql';

const printed = new WeakMap<DocumentNode, string>();

/** Equal for requests that get the same events: whitespace, comments and the order of variables do not matter. */
export function subscriptionKey(
  { document, operationName, variableValues }: ExecutionArgs,
  baseUrl: string,
): string {
  const text = printed.get(document) ?? print(document);
  printed.set(document, text);
  const operation = getOperationAST(document, operationName);
  const declared = (operation?.variableDefinitions ?? []).map(({ variable }) => variable.name.value).sort();
  const variables = declared.map((name) => [name, sortKeys(variableValues?.[name])]);
  const whole = JSON.stringify([baseUrl, operation?.name?.value ?? null, variables, text]);
  return createHash('sha256').update(whole).digest('base64url');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, each]) => [name, sortKeys(each)]);
}
