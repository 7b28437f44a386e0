import { createEndpointPool, type RpcCall, systemClock } from '@sluice/rpc-pool';
import { AccountReader } from '../../chain/accounts/account-reader.ts';
import { type DiscoveryRpc, discoverAddresses } from '../../chain/view/discovery.ts';
import { decodersFor, EXPECTED_BYTES, KINDS } from '../../chain/view/kinds.ts';
import { PaddingWatch } from '../../chain/view/padding-watch.ts';
import { type Round, WHOLE_FACTOR } from '../../chain/view/read-schedule.ts';
import type { View } from '../../chain/view/view.ts';
import { ViewKeeper } from '../../chain/view/view-keeper.ts';
import { ViewStore } from '../../chain/view/view-store.ts';
import type { Config } from '../../config/config.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import { isCodedError } from '../../errors/sluice-error.ts';
import { deadlineSignal } from '../../node/deadline.ts';
import {
  dailyLoad,
  dailyLoadOfWholeAccounts,
  type Load,
  type PlatformSize,
  resized,
  type Upkeep,
} from './daily-load.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { paddingFindings, sampleOutsideView } from './padding.ts';
import { reasonOf } from './probe.ts';
import { counted, sizeText } from './report.ts';

/** Bytes of a day, with polled vaults and with notifications. */
interface DailyBytes {
  readonly polled: number;
  readonly notified: number;
}

const MAINNET: PlatformSize = { reserves: 360, vaults: 160 };

const DISCOVERY = ['getProgramAccounts', 'getRecentPerformanceSamples'];

/**
 * Fills a View as the gateway does, and reports its contents and the RPC load of refreshing it for a day.
 * @param pauseMs longest wait for changes before a refresh is measured
 */
export async function checkUpkeep(
  urls: readonly string[],
  config: Config,
  pauseMs: number,
): Promise<{ readonly view: View | undefined; readonly findings: readonly Finding[] }> {
  try {
    const { view, unusable, padding, upkeep, filledMs } = await measure(urls, config, pauseMs);
    const size = { reserves: view.all('reserve').size, vaults: view.all('vault').size };
    const findings = [
      contents(view, unusable, filledMs),
      ...paddingFindings(padding),
      ...daily(upkeep, config),
      ...atMainnetSize(upkeep, size, config),
    ];
    return { view, findings };
  } catch (error) {
    const says = `It cannot be read (${reasonOf(error)}). Fix the endpoints first; everything else depends on the View.`;
    return { view: undefined, findings: [fault('view', 'fills', says)] };
  }
}

async function measure(urls: readonly string[], config: Config, pauseMs: number) {
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
  const reader = new AccountReader(pool.rpc, { commitment });
  const padding = new PaddingWatch(config.programs);
  const keeper = new ViewKeeper({
    rpc: pool.rpc,
    reader,
    store: new ViewStore(1),
    programs: config.programs,
    decoders: padding.around(decodersFor(config.programs)),
    commitment,
    viewRefreshMs: config.VIEW_REFRESH_MS,
    vaultRefreshMs: never,
    discoveryIntervalMs: never,
  });
  const measured = async <T>(work: (signal: AbortSignal) => Promise<T>) => {
    using deadline = deadlineSignal(config.RPC_TIMEOUT_MS * config.RPC_MAX_ATTEMPTS, 'Reading the View');
    calls.splice(0);
    return { result: await work(deadline.signal), made: calls.splice(0) };
  };
  const loadOfRound = async (round: Round, afterMs: number) => {
    await systemClock.sleep(Math.min(afterMs, pauseMs), new AbortController().signal);
    return loadOf((await measured((signal) => keeper.read(signal, round))).made);
  };
  try {
    const { result: view, made } = await measured((signal) => keeper.read(signal, 'whole'));
    const filledMs = performance.now() - startedAt;
    const discovery = loadOf(made.filter(({ method }) => DISCOVERY.includes(method)));
    const reserves = await loadOfRound('reserves', config.VIEW_REFRESH_MS);
    const vaults = await loadOfRound('vaults', config.VAULT_REFRESH_MS);
    const whole = await loadOfRound('whole', 0);
    const keys = (['reserve', 'oracle'] as const).flatMap((kind) =>
      [...view.all(kind).keys()].map((address) => ({ address, expectedBytes: EXPECTED_BYTES[kind] })),
    );
    const wholeReserves = loadOf(
      (await measured((signal) => reader.readMany(keys, { minSlot: 0n, signal }))).made,
    );
    const unusable = await unusableIn(view, pool.rpc, config);
    await sampleOutsideView({ rpc: pool.rpc, reader, padding }, view, config);
    return {
      view,
      unusable,
      padding,
      upkeep: { discovery, reserves, vaults, whole, wholeReserves },
      filledMs,
    };
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
      return isCodedError(held) ? [held.code] : [];
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

function atMainnetSize(upkeep: Upkeep, size: PlatformSize, config: Config): Finding[] {
  if (size.reserves === 0 || size.vaults === 0) return [];
  const mainnet = resized(upkeep, size, MAINNET);
  const bytes = (load: typeof dailyLoad): DailyBytes => ({
    polled: load(mainnet, config, false).bytes,
    notified: load(mainnet, config, true).bytes,
  });
  const now = bytes(dailyLoad);
  const whole = bytes(dailyLoadOfWholeAccounts);
  const described = ({ polled, notified }: DailyBytes) =>
    `${sizeText(polled)} by polling and ${sizeText(notified)} with notifications`;
  const says = `${MAINNET.reserves} reserves and ${MAINNET.vaults} vaults would take ${described(now)}; without slices ${described(whole)}.`;
  const figures = {
    polledBytes: now.polled,
    notifiedBytes: now.notified,
    wholePolledBytes: whole.polled,
    wholeNotifiedBytes: whole.notified,
  };
  return [ok('view', 'day at mainnet size', says, figures)];
}

function daily(upkeep: Upkeep, config: Config): Finding[] {
  const described = ({ calls, bytes }: Load) => `${counted(calls, 'call')} and ${sizeText(bytes)}`;
  const figures = ({ calls, bytes }: Load) => ({ calls, bytes });
  const { discovery, reserves, vaults, whole } = upkeep;
  const polled = dailyLoad(upkeep, config, false);
  const notified = dailyLoad(upkeep, config, true);
  const wholeMs = config.VAULT_REFRESH_MS * WHOLE_FACTOR;
  const round = `${described(reserves)} for the reserves every ${config.VIEW_REFRESH_MS} ms (VIEW_REFRESH_MS), ${described(vaults)} with the vaults every ${config.VAULT_REFRESH_MS} ms (VAULT_REFRESH_MS) without notifications, ${described(whole)} for everything every ${wholeMs} ms, ${described(discovery)} to discover every ${config.DISCOVERY_INTERVAL_MS} ms (DISCOVERY_INTERVAL_MS)`;
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
