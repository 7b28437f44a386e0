import { SluiceError } from '../errors/sluice-error.ts';

export type WarningLevel = 'INFO' | 'WARNING' | 'ERROR';

/**
 * Everything that a builder may warn of. Codes are added, never renamed. ERROR: the program would refuse the action as
 * things stand now. WARNING: it would pass and may be regretted. INFO: good to know. None of them stops a build unless
 * the caller asks for that: something else in the same transaction may change what they are about.
 */
export const WARNINGS = {
  BALANCE_TOO_LOW: { level: 'ERROR', about: 'The wallet has less than the action takes.' },
  AMOUNT_BELOW_MINIMUM: {
    level: 'ERROR',
    about: 'The amount, or what would be left, is less than the program accepts.',
  },
  ABOVE_POSITION: {
    level: 'WARNING',
    about: 'More was asked for than the position holds; the program takes all of it.',
  },
  DEPOSIT_LIMIT_EXCEEDED: { level: 'ERROR', about: 'The reserve would hold more than its deposit limit.' },
  BORROW_LIMIT_EXCEEDED: {
    level: 'ERROR',
    about: 'More would be borrowed than a limit of the reserve or group allows.',
  },
  OUTFLOW_CAP_EXCEEDED: {
    level: 'ERROR',
    about: 'More would leave the reserve than it allows in this interval.',
  },
  LIQUIDITY_TOO_LOW: { level: 'ERROR', about: 'Less is free than the action takes out.' },
  UTILIZATION_BLOCK: {
    level: 'ERROR',
    about: 'The reserve would be lent out beyond the point where borrowing is blocked.',
  },
  BORROW_NOT_ALLOWED: {
    level: 'ERROR',
    about: 'The market, the reserve or the state of the obligation does not allow borrowing.',
  },
  COLLATERAL_TOO_LOW: { level: 'ERROR', about: 'The collateral that counts would not carry the debt.' },
  OBLIGATION_FULL: { level: 'ERROR', about: 'The obligation has no room for another reserve.' },
  RESERVE_NOT_ACTIVE: { level: 'WARNING', about: 'The reserve is obsolete, hidden or in an unknown status.' },
  HEALTH_LOW: { level: 'WARNING', about: 'The health factor would be close to liquidation.' },
  PRICE_STALE: {
    level: 'WARNING',
    about: 'A price that the action depends on is older than the reserve allows.',
  },
  PRICE_UNKNOWN: { level: 'WARNING', about: 'A price is missing, so values and limits cannot be told.' },
  UNSTAKE_COOLDOWN: { level: 'WARNING', about: 'Staked shares come back only after a waiting time.' },
  WITHDRAWAL_PENALTY: { level: 'INFO', about: 'The vault keeps back a part of what is withdrawn.' },
  BETTER_ELEVATION_GROUP: { level: 'INFO', about: 'Another elevation group would allow to borrow more.' },
  WSOL_LEFT_OVER: { level: 'INFO', about: 'Wrapped SOL stays in the wallet.' },
  WSOL_UNWRAPPED: { level: 'INFO', about: 'Wrapped SOL that the wallet already had becomes SOL as well.' },
} as const satisfies Record<string, { level: WarningLevel; about: string }>;

export type WarningCode = keyof typeof WARNINGS;

export interface BuildWarning {
  readonly level: WarningLevel;
  readonly code: WarningCode;
  /** What it is here, and what to do about it. */
  readonly message: string;
}

export function warning(code: WarningCode, message: string): BuildWarning {
  return { level: WARNINGS[code].level, code, message };
}

/** For callers who would rather have no transaction than one that the program refuses as things stand. */
export function refuseOnError(warnings: readonly BuildWarning[]): void {
  const errors = warnings.filter(({ level }) => level === 'ERROR');
  if (errors.length === 0) return;
  const reason = errors.map(({ code, message }) => `${code}: ${message.replace(/\.$/, '')}`).join('; ');
  throw new SluiceError('BUILD_REFUSED', { reason });
}
