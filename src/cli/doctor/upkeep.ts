import { AccountReader } from '../../chain/account-reader.ts';
import { type DiscoveryRpc, discoverAddresses } from '../../chain/discovery.ts';
import { KINDS } from '../../chain/kinds.ts';
import { deadlineSignal } from '../../chain/rpc/deadline.ts';
import { createEndpointPool, type RpcCall } from '../../chain/rpc/endpoint-pool.ts';
import type { View } from '../../chain/view.ts';
import { ANNOUNCED_FACTOR, ViewKeeper } from '../../chain/view-keeper.ts';
import { ViewStore } from '../../chain/view-store.ts';
import type { Config } from '../../config/config.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { isSluiceError } from '../../errors/sluice-error.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { reasonOf } from './probe.ts';
import { counted, sizeText } from './report.ts';

/** RPC load of a piece of work. */
export interface Load {
  readonly calls: number;
  /** Size of requests and answers on the wire. */
  readonly bytes: number;
}

/** RPC load of each piece of work, measured once. */
export interface Upkeep {
  readonly discovery: Load;
  /** Reserves alone, every `VIEW_REFRESH_MS`. */
  readonly reserves: Load;
  /** Everything, every `VAULT_REFRESH_MS`. */
  readonly whole: Load;
}

const DAY_MS = 86_400_000;
const DISCOVERY = ['getProgramAccounts', 'getRecentPerformanceSamples'];

/** Fills a View as the gateway does, and reports its contents and the RPC load of refreshing it for a day. */
export async function checkUpkeep(
  urls: readonly string[],
  config: Config,
): Promise<{ readonly view: View | undefined; readonly findings: readonly Finding[] }> {
  try {
    const { view, unusable, upkeep, filledMs } = await measure(urls, config);
    return { view, findings: [contents(view, unusable, filledMs), ...daily(upkeep, config)] };
  } catch (error) {
    const says = `It cannot be read (${reasonOf(error)}). Fix the endpoints first; everything else depends on the View.`;
    return { view: undefined, findings: [fault('view', 'fills', says)] };
  }
}

async function measure(urls: readonly string[], config: Config) {
  const startedAt = performance.now();
  const calls: RpcCall[] = [];
  const pool = createEndpointPool({
    urls,
    timeoutMs: config.RPC_TIMEOUT_MS,
    maxAttempts: config.RPC_MAX_ATTEMPTS,
    maxConcurrencyPerEndpoint: config.RPC_CONCURRENCY,
    onCall: (call) => calls.push(call),
  });
  const commitment = config.SOLANA_COMMITMENT;
  const never = Number.POSITIVE_INFINITY;
  const keeper = new ViewKeeper({
    rpc: pool.rpc,
    reader: new AccountReader(pool.rpc, { commitment }),
    store: new ViewStore(1),
    programs: config.programs,
    commitment,
    viewRefreshMs: config.VIEW_REFRESH_MS,
    vaultRefreshMs: never,
    discoveryIntervalMs: never,
    refreshTimeoutMs: never,
  });
  const refreshed = async (): Promise<{ view: View; made: readonly RpcCall[] }> => {
    using deadline = deadlineSignal(config.RPC_TIMEOUT_MS * config.RPC_MAX_ATTEMPTS, 'Reading the View');
    const view = await keeper.refresh(deadline.signal);
    return { view, made: calls.splice(0) };
  };
  try {
    const filled = await refreshed();
    const filledMs = performance.now() - startedAt;
    const reserves = loadOf((await refreshed()).made);
    keeper.refreshAllNow();
    const whole = loadOf((await refreshed()).made);
    const discovery = loadOf(filled.made.filter(({ method }) => DISCOVERY.includes(method)));
    const { view } = filled;
    const unusable = await unusableIn(view, pool.rpc, config);
    return { view, unusable, upkeep: { discovery, reserves, whole }, filledMs };
  } finally {
    await pool.close();
  }
}

function loadOf(calls: readonly RpcCall[]): Load {
  const bytes = calls.reduce((sum, { requestBytes, responseBytes }) => sum + requestBytes + responseBytes, 0);
  return { calls: calls.length, bytes };
}

/** Error codes of discovered accounts that cannot be decoded. */
async function unusableIn(view: View, rpc: DiscoveryRpc, config: Config): Promise<readonly ErrorCode[]> {
  using deadline = deadlineSignal(config.RPC_TIMEOUT_MS, 'Looking for accounts');
  const { programs, SOLANA_COMMITMENT } = config;
  const anySlot = { minSlot: 0n, signal: deadline.signal };
  const found = await discoverAddresses(rpc, programs, SOLANA_COMMITMENT, anySlot);
  return [...found].flatMap(([kind, addresses]) =>
    [...addresses].flatMap((address) => {
      const held = view.find(kind, address);
      return isSluiceError(held) ? [held.code] : [];
    }),
  );
}

function contents(view: View, unusable: readonly ErrorCode[], filledMs: number): Finding {
  const sizes = Object.fromEntries(KINDS.map((kind) => [kind, view.all(kind).size]));
  const figures = { ...sizes, unusable: unusable.length, filledMs: Math.round(filledMs) };
  const [markets, reserves, vaults, farms] = (['market', 'reserve', 'vault', 'farm'] as const).map((kind) =>
    counted(view.all(kind).size, kind),
  );
  const found = `There are ${markets}, ${reserves}, ${vaults} and ${farms}`;
  const missing = (['market', 'reserve', 'vault'] as const).filter((kind) => view.all(kind).size === 0);
  if (missing.length > 0) {
    const says = `${found}. No ${missing.join(' or ')} exists: check the program ids and SOLANA_CLUSTER.`;
    return warning('view', 'fills', says, figures);
  }
  if (unusable.length > 0) {
    const codes = [...new Set(unusable)].join(', ');
    const says = `${found}; ${unusable.length} more cannot be decoded (${codes}) and are answered with that error.`;
    return warning('view', 'fills', says, figures);
  }
  return ok('view', 'fills', `${found}, read in ${(filledMs / 1000).toFixed(1)} s.`, figures);
}

/** RPC load of refreshing the View for a day with the current settings. */
export function dailyLoad(
  { discovery, reserves, whole }: Upkeep,
  config: Pick<Config, 'VIEW_REFRESH_MS' | 'VAULT_REFRESH_MS' | 'DISCOVERY_INTERVAL_MS'>,
  notified: boolean,
): Load {
  const tick = config.VIEW_REFRESH_MS;
  // Work happens on refresh ticks: on the first tick later than half a tick before its interval ends.
  const perDay = (intervalMs: number) => DAY_MS / (tick * Math.max(1, Math.ceil(intervalMs / tick - 0.5)));
  const wholes = perDay(config.VAULT_REFRESH_MS * (notified ? ANNOUNCED_FACTOR : 1));
  const discoveries = perDay(config.DISCOVERY_INTERVAL_MS);
  const sum = (of: (load: Load) => number) =>
    Math.round((DAY_MS / tick - wholes) * of(reserves) + wholes * of(whole) + discoveries * of(discovery));
  return { calls: sum(({ calls }) => calls), bytes: sum(({ bytes }) => bytes) };
}

function daily(upkeep: Upkeep, config: Config): Finding[] {
  const described = ({ calls, bytes }: Load) => `${counted(calls, 'call')} and ${sizeText(bytes)}`;
  const figures = ({ calls, bytes }: Load) => ({ calls, bytes });
  const { discovery, reserves, whole } = upkeep;
  const polled = dailyLoad(upkeep, config, false);
  const notified = dailyLoad(upkeep, config, true);
  const round = `${described(reserves)} for the reserves every ${config.VIEW_REFRESH_MS} ms (VIEW_REFRESH_MS), ${described(whole)} for everything every ${config.VAULT_REFRESH_MS} ms (VAULT_REFRESH_MS), ${described(discovery)} to discover every ${config.DISCOVERY_INTERVAL_MS} ms (DISCOVERY_INTERVAL_MS)`;
  return [
    ok('view', 'round', `One takes ${round}.`, { ...figures(whole), reserveBytes: reserves.bytes }),
    ok('view', 'day by polling', `A day takes ${described(polled)}; requests add to it.`, figures(polled)),
    ok(
      'view',
      'day with notifications',
      `A day takes ${described(notified)}, plus the notifications; requests add to it.`,
      figures(notified),
    ),
  ];
}
