import { readArguments } from '../../src/cli/import-history/arguments.ts';
import { runImport } from '../../src/cli/import-history/run.ts';
import { loadConfig } from '../../src/config/config.ts';
import { readMarketPoints, readReservePoints, readVaultPoints } from '../../src/store/history/read-series.ts';
import type { Step } from '../../src/store/history/steps.ts';
import type { Sql } from '../../src/store/sql.ts';
import { plain } from '../support/history/samples.ts';
import { MARKET, RESERVES, RUNNING, VAULT } from './fake-deployment.ts';

/** Within the hour that runs. */
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

/** The command in this process, at full speed, with hours kept for ever. */
export async function importFrom(
  url: string,
  databaseUrl: string,
  options: RunOptions = {},
): Promise<ImportRun> {
  const { args = [], now = NOW, env = {}, signal = new AbortController().signal } = options;
  const command = readArguments(['--from', url, '--rate', '1000', ...args], now);
  if (command === null) throw new Error('the arguments make no sense');
  const config = loadConfig({ DATABASE_URL: databaseUrl, KEEP_HOURS_DAYS: '36500', ...env });
  const lines: string[] = [];
  const ok = await runImport(config, command, (line) => lines.push(line), signal, 2);
  return { ok, lines };
}

/** Everything that is kept of the fake deployment's subjects in one step, as it is published. */
export async function keptOf(sql: Sql, step: Step) {
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

/** The whole of both steps, to tell whether two imports are equal. */
export const everythingKept = async (sql: Sql) => [await keptOf(sql, 3_600), await keptOf(sql, 86_400)];
