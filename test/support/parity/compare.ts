import { expect } from 'vitest';
import type { ContractWorld } from '../contract/contract-app.ts';
import { COLLATERAL_PARITY } from './collateral-reserves.ts';
import { EARN_PARITY } from './earn.ts';
import { EARN_POSITION_PARITY } from './earn-positions.ts';
import { FARM_TRANSACTION_PARITY } from './farm-transactions.ts';
import { HISTORY_PARITY } from './history.ts';
import { LENDING_TRANSACTION_PARITY } from './lending-transactions.ts';
import { LOOKUP_TABLE_PARITY } from './lookup-tables.ts';
import { MARKET_PARITY } from './markets.ts';
import { OBLIGATION_HISTORY_PARITY } from './obligation-history.ts';
import { OBLIGATION_INTEREST_PARITY } from './obligation-interest.ts';
import { OBLIGATION_PARITY } from './obligations.ts';
import { type Graph, type NullRule, type ParityCase, type ParityRow, ZeroForNull } from './parity-row.ts';
import { PORTFOLIO_PARITY } from './portfolio.ts';
import { RESERVE_STATS_PARITY } from './reserve-stats.ts';
import { TOKEN_PARITY } from './tokens.ts';
import { VAULT_ALLOCATION_PARITY } from './vault-allocations.ts';
import { VAULT_TRANSACTION_PARITY } from './vault-transactions.ts';
import { VAULT_PARITY } from './vaults.ts';
import { YIELD_PARITY } from './yields.ts';

/** Reads that GraphQL and REST both have. */
export const PARITY_ROWS: readonly ParityRow[] = [
  ...TOKEN_PARITY,
  ...VAULT_PARITY,
  ...VAULT_ALLOCATION_PARITY,
  ...VAULT_TRANSACTION_PARITY,
  ...LOOKUP_TABLE_PARITY,
  ...EARN_PARITY,
  ...EARN_POSITION_PARITY,
  ...MARKET_PARITY,
  ...OBLIGATION_PARITY,
  ...OBLIGATION_HISTORY_PARITY,
  ...LENDING_TRANSACTION_PARITY,
  ...FARM_TRANSACTION_PARITY,
  ...OBLIGATION_INTEREST_PARITY,
  ...HISTORY_PARITY,
  ...RESERVE_STATS_PARITY,
  ...COLLATERAL_PARITY,
  ...YIELD_PARITY,
  ...PORTFOLIO_PARITY,
];

/** Requests REST, then GraphQL on the View that REST reported, and expects equal data. */
export async function expectParity(
  world: ContractWorld,
  row: ParityRow,
  { url, body: sent, variables }: ParityCase,
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
  return async <T>(document: string, variables = {}) => {
    const answer = await gateway.query<T>(document, { variables, headers: { 'x-view': view } });
    expect(answer.errors).toEqual([]);
    expect(answer.extensions.chain?.view).toBe(view);
    return answer.data;
  };
}

function normal({ without = [], sortBy }: ParityRow, body: unknown): unknown {
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
