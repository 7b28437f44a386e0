import type { StreamBudget } from '../http/allowance.ts';
import type { LimitMetrics } from '../telemetry/limit-metrics.ts';
import type { ApiKey } from './keys/api-key.ts';
import type { KeyRing } from './keys/key-ring.ts';
import type { Window } from './window.ts';

/** Part of a limit that streams may use up. The rest is for requests, which a page with many streams still makes. */
const STREAM_SHARE = 0.8;

export interface StreamBudgetOptions {
  readonly window: Window;
  readonly keys: KeyRing;
  readonly metrics: LimitMetrics;
}

/** Pays for events from the window that also pays for requests. */
export function streamBudget(
  { window, keys, metrics }: StreamBudgetOptions,
  id: string,
  limit: number,
  key: ApiKey | null,
): StreamBudget {
  const share = Math.max(1, Math.floor(limit * STREAM_SHARE));
  const counted = (units: number, isPaid: boolean): boolean => {
    if (isPaid) metrics.spent(key, units);
    return isPaid;
  };
  return {
    id,
    isAdmitted: () => key === null || 'key' in keys.byId(key.id),
    spend(units) {
      if (limit === 0) return counted(units, true);
      // Capped, so that even the most expensive event is sent to a client that has spent nothing.
      const capped = Math.min(units, share);
      const decision = window.spend({ id, limit: share }, capped);
      return decision instanceof Promise
        ? decision.then(({ admitted }) => counted(capped, admitted))
        : counted(capped, decision.admitted);
    },
    charge(units) {
      metrics.spent(key, units);
      if (limit !== 0) window.charge({ id, limit }, units);
    },
  };
}
