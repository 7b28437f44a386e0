import { WHOLE_FACTOR } from '../../chain/view/read-schedule.ts';
import type { Config } from '../../config/config.ts';

/** RPC load of a piece of work. */
export interface Load {
  readonly calls: number;
  /** Size of requests and answers on the wire. */
  readonly bytes: number;
}

/** RPC load of each piece of work, measured once. */
export interface Upkeep {
  readonly discovery: Load;
  /** Heads of the reserves, every `VIEW_REFRESH_MS`. */
  readonly reserves: Load;
  /** Heads of the vaults too, every `VAULT_REFRESH_MS` without notifications. */
  readonly vaults: Load;
  /** Everything whole, `WHOLE_FACTOR` times more rarely. */
  readonly whole: Load;
  /** The reserves whole, for comparison. */
  readonly wholeReserves: Load;
}

/** Number of reserves and vaults. */
export interface PlatformSize {
  readonly reserves: number;
  readonly vaults: number;
}

const DAY_MS = 86_400_000;

type Intervals = Pick<Config, 'VIEW_REFRESH_MS' | 'VAULT_REFRESH_MS' | 'DISCOVERY_INTERVAL_MS'>;

/** Daily runs of a task: on the first refresh later than half a refresh before its interval ends. */
function timesPerDay(intervalMs: number, { VIEW_REFRESH_MS: tick }: Intervals): number {
  return DAY_MS / (tick * Math.max(1, Math.ceil(intervalMs / tick - 0.5)));
}

/** RPC load of refreshing the View for a day with the current settings. */
export function dailyLoad(upkeep: Upkeep, config: Intervals, notified: boolean): Load {
  const refreshes = timesPerDay(config.VIEW_REFRESH_MS, config);
  const wholes = timesPerDay(config.VAULT_REFRESH_MS * WHOLE_FACTOR, config);
  const vaults = notified ? 0 : timesPerDay(config.VAULT_REFRESH_MS, config) - wholes;
  return sumOf([
    [refreshes - vaults - wholes, upkeep.reserves],
    [vaults, upkeep.vaults],
    [wholes, upkeep.whole],
    [timesPerDay(config.DISCOVERY_INTERVAL_MS, config), upkeep.discovery],
  ]);
}

/** The same if every account were read whole. */
export function dailyLoadOfWholeAccounts(upkeep: Upkeep, config: Intervals, notified: boolean): Load {
  const wholes = timesPerDay(config.VAULT_REFRESH_MS * (notified ? WHOLE_FACTOR : 1), config);
  return sumOf([
    [timesPerDay(config.VIEW_REFRESH_MS, config) - wholes, upkeep.wholeReserves],
    [wholes, upkeep.whole],
    [timesPerDay(config.DISCOVERY_INTERVAL_MS, config), upkeep.discovery],
  ]);
}

function sumOf(parts: readonly (readonly [times: number, load: Load])[]): Load {
  const sum = (of: (load: Load) => number) =>
    Math.round(parts.reduce((total, [times, load]) => total + times * of(load), 0));
  return { calls: sum(({ calls }) => calls), bytes: sum(({ bytes }) => bytes) };
}

/** The load of a platform of another size: what is read for reserves grows with them, everything else with the vaults. */
export function resized(upkeep: Upkeep, from: PlatformSize, to: PlatformSize): Upkeep {
  const [ofReserves, ofVaults] = [to.reserves / from.reserves, to.vaults / from.vaults];
  const scaled = (load: Load, part: Load): Load =>
    sumOf([
      [ofReserves, part],
      [ofVaults, { calls: load.calls - part.calls, bytes: load.bytes - part.bytes }],
    ]);
  return {
    discovery: scaled(upkeep.discovery, upkeep.discovery),
    reserves: scaled(upkeep.reserves, upkeep.reserves),
    vaults: scaled(upkeep.vaults, upkeep.reserves),
    whole: scaled(upkeep.whole, upkeep.wholeReserves),
    wholeReserves: scaled(upkeep.wholeReserves, upkeep.wholeReserves),
  };
}
