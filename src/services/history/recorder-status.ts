import type { Platform } from '../platform.ts';
import type { HistoryState } from './source.ts';

/** How the recording of history stands. */
export interface RecorderStatus {
  readonly status: 'STARTING' | 'READY' | 'UNAVAILABLE';
  readonly leading: boolean | null;
  readonly lagMs: number | null;
  readonly doing: string | null;
}

const NAMES = { starting: 'STARTING', ready: 'READY', unavailable: 'UNAVAILABLE' } as const;
/** The graph's integers have 32 bits; a lag of more than 24 days is told as that. */
const LONGEST_LAG_MS = 2_147_483_647;

/** Null where no history is kept. */
export function recorderStatus({ history }: Platform): RecorderStatus | null {
  const { status, leading, lagMs, doing }: HistoryState = history.state();
  if (status === 'off') return null;
  return {
    status: NAMES[status],
    leading,
    lagMs: lagMs === null ? null : Math.min(Math.max(0, Math.round(lagMs)), LONGEST_LAG_MS),
    doing,
  };
}
