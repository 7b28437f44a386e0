import { expect } from 'vitest';
import type { ContractWorld } from '../contract/contract-app.ts';
import { CONTRACT_KEY } from '../contract/contract-key.ts';
import { OPERATION_ROWS } from './all.ts';
import { type NullRule, ZeroForNull } from './null-rule.ts';
import type { Graph, OperationRequest, OperationRow } from './operation-row.ts';
import type { Subjects } from './subjects.ts';

/** A read that GraphQL has as well. */
export type ComparedRow = OperationRow & Required<Pick<OperationRow, 'twin'>>;

export const isCompared = (row: OperationRow): row is ComparedRow => row.twin !== undefined;

export const COMPARED_ROWS: readonly ComparedRow[] = OPERATION_ROWS.filter(isCompared);

/** Compares each request of a row that has an equivalent. */
export async function expectRowParity(
  world: ContractWorld,
  row: ComparedRow,
  subjects: Subjects,
  rule: NullRule,
): Promise<void> {
  await expectRequestParity(world, row, row.requests(subjects), rule);
}

/** The same for some of its requests. */
export async function expectRequestParity(
  world: ContractWorld,
  row: ComparedRow,
  requests: readonly OperationRequest[],
  rule: NullRule,
): Promise<void> {
  const compared = requests.filter(({ variables }) => variables !== undefined);
  expect(compared.length, row.path).toBeGreaterThan(0);
  for (const each of compared) await expectParity(world, row, each, rule);
}

/** Requests REST, then GraphQL on the View that REST reported, and expects equal data. */
async function expectParity(
  world: ContractWorld,
  row: ComparedRow,
  { url, body: sent, variables = {} }: OperationRequest,
  rule: NullRule,
): Promise<void> {
  const rest = await world.ask(sent === undefined ? { url } : { url, body: sent });
  expect(rest.status, `${url}: ${rest.text.slice(0, 200)}`).toBe(200);
  const view = rest.headers.get('x-view') ?? '';
  const twin = await row.twin(graphAt(world, view), variables, rule);
  const body = row.rounded === undefined ? rest.body : row.rounded(rest.body);
  const unknown = new Set<string>();
  expect(normal(row, body), url).toEqual(normal(row, asWritten(twin, [], unknown)));
  expect((rest.headers.get('x-unknown') ?? '').split(', '), url).toEqual(
    [...unknown].sort().join(', ').split(', '),
  );
}

/** The body as REST writes it. Adds the path of every zero that stands for null. */
function asWritten(twin: unknown, path: readonly string[], unknown: Set<string>): unknown {
  if (twin instanceof ZeroForNull) {
    unknown.add(path.join('.'));
    return twin.written;
  }
  if (Array.isArray(twin)) return twin.map((item) => asWritten(item, path, unknown));
  if (typeof twin !== 'object' || twin === null) return twin;
  return Object.fromEntries(
    Object.entries(twin).map(([name, item]) => [name, asWritten(item, [...path, name], unknown)]),
  );
}

/** GraphQL on one View. */
export function graphAt({ gateway }: ContractWorld, view: string): Graph {
  const headers = { 'x-view': view, 'x-api-key': CONTRACT_KEY };
  return async <T>(document: string, variables = {}) => {
    const answer = await gateway.query<T>(document, { variables, headers });
    expect(answer.errors).toEqual([]);
    expect(answer.extensions.chain?.view).toBe(view);
    return answer.data;
  };
}

function normal({ without = [], sortBy }: OperationRow, body: unknown): unknown {
  if (!Array.isArray(body)) return stripped(without, body);
  const items = body.map((item) => stripped(without, item));
  if (sortBy === undefined) return items;
  const key = (item: unknown) => String((item as Readonly<Record<string, unknown>>)[sortBy]);
  return items.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function stripped(names: readonly string[], item: unknown): unknown {
  if (names.length === 0 || typeof item !== 'object' || item === null) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
}
