import { SluiceError } from '../errors/sluice-error.ts';

export type WarningLevel = 'INFO' | 'WARNING' | 'ERROR';

/**
 * All warnings of the builders. Codes are added, never renamed. ERROR: the program would reject the action in the current
 * state, or instructions that the caller supplied take assets of the wallet or the authority over them. WARNING: it would
 * succeed but carries a risk. INFO: for information. None of them stops a build unless the caller opts in, because other
 * instructions of the same transaction may change the state.
 */
export const WARNINGS = {
  BALANCE_TOO_LOW: { level: 'ERROR', about: 'The balance of the wallet is too low.' },
  AMOUNT_BELOW_MINIMUM: {
    level: 'ERROR',
    about: "The amount, or the remaining position, is below the program's minimum.",
  },
  ABOVE_POSITION: {
    level: 'WARNING',
    about: 'The amount exceeds the position; the program moves all of the position.',
  },
  DEPOSIT_CAP_REACHED: {
    level: 'ERROR',
    about: 'The deposit cap of the vault leaves too little room for a deposit.',
  },
  CUT_BY_DEPOSIT_CAP: {
    level: 'WARNING',
    about: 'The vault takes only a part of the deposit, up to its deposit cap.',
  },
  DEPOSIT_LIMIT_EXCEEDED: { level: 'ERROR', about: 'The deposit limit of the reserve would be exceeded.' },
  BORROW_LIMIT_EXCEEDED: {
    level: 'ERROR',
    about: 'A borrow limit of the reserve or elevation group would be exceeded.',
  },
  OUTFLOW_CAP_EXCEEDED: {
    level: 'ERROR',
    about: 'The withdrawal cap of the reserve for this interval would be exceeded.',
  },
  LIQUIDITY_TOO_LOW: { level: 'ERROR', about: 'The available liquidity is too low.' },
  UTILIZATION_BLOCK: {
    level: 'ERROR',
    about: 'Utilization would exceed the limit above which borrowing is blocked.',
  },
  BORROW_NOT_ALLOWED: {
    level: 'ERROR',
    about: 'The market, the reserve or the state of the obligation does not allow borrowing.',
  },
  ACTION_NOT_ALLOWED: {
    level: 'ERROR',
    about: 'The market, the reserve or the state of the obligation does not allow this action.',
  },
  NEEDS_PERMISSION: {
    level: 'WARNING',
    about:
      'The market, the reserve or the vault is permissioned: the transaction fails unless another address, which the message names, signs it too.',
  },
  COLLATERAL_TOO_LOW: { level: 'ERROR', about: 'The collateral would not cover the debt.' },
  NOT_LIQUIDATABLE: {
    level: 'ERROR',
    about: 'The obligation, or the chosen collateral, cannot be liquidated.',
  },
  LIQUIDATION_ORDER: {
    level: 'ERROR',
    about: 'Another debt of the obligation must be repaid first, or another collateral seized first.',
  },
  RECEIVED_TOO_LITTLE: {
    level: 'ERROR',
    about: 'The collateral or the shares received would be below the given minimum.',
  },
  COLLATERAL_NOT_REDEEMED: {
    level: 'WARNING',
    about: 'The reserve has too little liquidity: the liquidator keeps collateral tokens.',
  },
  OBLIGATION_FULL: { level: 'ERROR', about: 'The obligation has no free slot for another reserve.' },
  RESERVE_NOT_ACTIVE: {
    level: 'WARNING',
    about: 'The reserve is obsolete, hidden, in emergency mode or of unknown status.',
  },
  HEALTH_LOW: { level: 'WARNING', about: 'The health factor would be close to liquidation.' },
  PRICE_REFUSED: {
    level: 'ERROR',
    about: 'The program would not accept the price of a reserve: it fails a check of the settings.',
  },
  PRICE_STALE: {
    level: 'WARNING',
    about: 'A price is older than the reserve allows, or its oracle cannot be read.',
  },
  PRICE_UNKNOWN: { level: 'WARNING', about: 'A price is missing, so values and limits are unknown.' },
  TIP_ABOVE_BALANCE: { level: 'ERROR', about: 'The fee payer has too little SOL for the tip.' },
  RENT_FROM_WALLET: {
    level: 'INFO',
    about: 'The wallet pays the rent of an account although there is another fee payer.',
  },
  REWARD_LEFT_OUT: { level: 'WARNING', about: 'A reward cannot be claimed now and is left out.' },
  STAKE_WARM_UP: { level: 'INFO', about: 'Staked shares earn rewards only after a warm-up.' },
  STAKE_NOT_ALLOWED: {
    level: 'ERROR',
    about: 'The farm does not accept this stake, or does not release it.',
  },
  ELEVATION_GROUP_ACTIVE: { level: 'ERROR', about: 'The obligation is already in this elevation group.' },
  ELEVATION_GROUP_UNKNOWN: { level: 'ERROR', about: 'The market does not define this elevation group.' },
  ELEVATION_GROUP_CLOSED: { level: 'ERROR', about: 'The elevation group accepts no obligations.' },
  ELEVATION_GROUP_COLLATERAL: {
    level: 'ERROR',
    about: 'The elevation group does not accept the deposits of the obligation.',
  },
  ELEVATION_GROUP_DEBT: {
    level: 'ERROR',
    about: 'The elevation group does not accept the debts of the obligation.',
  },
  ELEVATION_GROUP_NEEDED: {
    level: 'ERROR',
    about: 'A deposit of the obligation backs debts only inside an elevation group.',
  },
  UNSTAKE_COOLDOWN: { level: 'WARNING', about: 'Staked shares are available only after a cooldown.' },
  WITHDRAWAL_PENALTY: { level: 'INFO', about: 'The vault or its farm withholds a part of the withdrawal.' },
  ROUNDED_PAYOUT: {
    level: 'INFO',
    about: 'Rounding pays out a few base units less than was asked for, or than the shares are worth.',
  },
  BETTER_ELEVATION_GROUP: { level: 'INFO', about: 'Another elevation group would allow a larger borrow.' },
  UNKNOWN_PROGRAM_WRITES: {
    level: 'WARNING',
    about: 'A program of the supplied swap is not known and may change accounts of the wallet.',
  },
  UNKNOWN_INSTRUCTION_WRITES: {
    level: 'ERROR',
    about:
      'An unknown instruction of a known program, in the supplied swap, may change accounts of the wallet.',
  },
  TOKENS_TO_OTHER: {
    level: 'ERROR',
    about: 'The supplied swap transfers tokens to somebody else without paying its minimum for them.',
  },
  SOL_TO_OTHER: { level: 'ERROR', about: 'The supplied swap transfers SOL to somebody else.' },
  SPENDING_ALLOWED: {
    level: 'ERROR',
    about: 'The supplied swap lets somebody else spend tokens of the wallet from now on.',
  },
  AUTHORITY_CHANGED: {
    level: 'ERROR',
    about: 'The supplied swap changes the owner or another authority of an account.',
  },
  TOKENS_BURNED: { level: 'ERROR', about: 'The supplied swap destroys tokens of the wallet.' },
  ACCOUNT_CLOSED_TO_OTHER: {
    level: 'ERROR',
    about: 'The supplied swap closes an account and sends its SOL to somebody else.',
  },
  WSOL_LEFT_OVER: { level: 'INFO', about: 'Wrapped SOL stays in the wallet.' },
  WSOL_UNWRAPPED: { level: 'INFO', about: 'Wrapped SOL already in the wallet is unwrapped too.' },
} as const satisfies Record<string, { level: WarningLevel; about: string }>;

export type WarningCode = keyof typeof WARNINGS;

export interface BuildWarning {
  readonly level: WarningLevel;
  readonly code: WarningCode;
  /** The specific problem and what to do about it. */
  readonly message: string;
}

export function warning(code: WarningCode, message: string): BuildWarning {
  return { level: WARNINGS[code].level, code, message };
}

/** Throws BUILD_REFUSED if a warning has level ERROR, for callers who opted in. */
export function refuseOnError(warnings: readonly BuildWarning[]): void {
  const errors = warnings.filter(({ level }) => level === 'ERROR');
  if (errors.length === 0) return;
  const reason = errors.map(({ code, message }) => `${code}: ${message.replace(/\.$/, '')}`).join('; ');
  throw new SluiceError('BUILD_REFUSED', { reason });
}
