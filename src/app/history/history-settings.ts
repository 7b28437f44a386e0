import { hostname } from 'node:os';
import type { Config } from '../../config/config.ts';
import type { Retention } from '../../store/history/retention.ts';

export function retentionOf(config: Config): Retention {
  const { KEEP_MINUTES_DAYS, KEEP_HOURS_DAYS, KEEP_DAYS_DAYS } = config;
  return {
    minuteDays: KEEP_MINUTES_DAYS,
    hourDays: KEEP_HOURS_DAYS,
    dayDays: KEEP_DAYS_DAYS === 0 ? null : KEEP_DAYS_DAYS,
  };
}

/** Identifies this process in the lease row. */
export const holderName = () => `${hostname()} ${process.pid}`;
