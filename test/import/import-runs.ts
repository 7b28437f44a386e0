import { IMPORT_HISTORY } from '../../src/cli/import-history/arguments.ts';
import { runImport } from '../../src/cli/import-history/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import type { Step } from '../../src/store/history/time-buckets.ts';
import type { Sql } from '../../src/store/sql.ts';
import { readMarketPoints, readReservePoints, readVaultPoints } from '../support/history/read-points.ts';
import { plain } from '../support/history/samples.ts';
import { MARKET, RESERVES, RUNNING, VAULT } from './fake-deployment.ts';

/** Within the current hour. */
export const NOW = new Date(RUNNING + 34 * 60_000);

export interface ImportRun {
  readonly ok: boolean;
  readonly lines: readonly string[];
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly now?: Date;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Runs the command in this process without rate limit. Hours are retained forever. */
export async function importFrom(
  url: string,
  databaseUrl: string,
  options: RunOptions = {},
): Promise<ImportRun> {
  const { args = [], now = NOW, env = {}, signal = new AbortController().signal } = options;
  const command = IMPORT_HISTORY.read(['--from', url, '--rate', '1000', ...args], now);
  if (command === null) throw new Error('invalid arguments');
  const config = loadConfig({ DATABASE_URL: databaseUrl, KEEP_HOURS_DAYS: '36500', ...env });
  const lines: string[] = [];
  const ok = await runImport(config, command, (line) => lines.push(line), signal, 2);
  return { ok, lines };
}

/** All stored points of the fake deployment's subjects in one step, in their published form. */
export async function storedPoints(sql: Sql, step: Step) {
  const range = { step, start: new Date(0), end: new Date('2100-01-01') };
  const only = <P>(points: ReadonlyMap<string, readonly P[]>, address: string) =>
    plain(points.get(address) ?? []) as Record<string, unknown>[];
  const reserves = await readReservePoints(sql, RESERVES, range);
  return {
    market: only(await readMarketPoints(sql, [MARKET], range), MARKET),
    reserves: RESERVES.map((reserve) => only(reserves, reserve)),
    vault: only(await readVaultPoints(sql, [VAULT], range), VAULT),
  };
}

/** All hours and days, to compare two imports. */
export const everythingStored = async (sql: Sql) => [
  await storedPoints(sql, 3_600),
  await storedPoints(sql, 86_400),
];
