import type { HistoryState } from '../platform/history-source.ts';
import type { Platform } from '../platform/platform.ts';

/** Status of the history recorder. */
export interface RecorderStatus {
  readonly status: 'STARTING' | 'READY' | 'UNAVAILABLE';
  readonly leading: boolean | null;
  readonly lagMs: number | null;
  readonly doing: string | null;
  readonly percent: number | null;
}

const NAMES = { starting: 'STARTING', ready: 'READY', unavailable: 'UNAVAILABLE' } as const;
/** GraphQL integers have 32 bits, so the lag is capped at 24 days. */
const MAX_LAG_MS = 2_147_483_647;

/** Null without history. */
export function recorderStatus(platform: Platform): RecorderStatus | null {
  const { status, leading, lagMs, doing, percent }: HistoryState = platform.historyState();
  if (status === 'off') return null;
  return {
    status: NAMES[status],
    leading,
    lagMs: lagMs === null ? null : Math.min(Math.max(0, Math.round(lagMs)), MAX_LAG_MS),
    doing,
    percent,
  };
}
