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
  LTV_WOULD_RISE: {
    level: 'ERROR',
    about: 'A withdrawal with a repayment or a deposit would raise the loan-to-value of the obligation.',
  },
  COLLATERAL_ORDER: {
    level: 'ERROR',
    about: 'A deposit with a lower maximum loan-to-value than the one withdrawn from would remain.',
  },
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
  REFERRAL_FEE_LEFT_OUT: {
    level: 'WARNING',
    about: 'Referral fees of a reserve cannot be claimed now and are left out.',
  },
  REFERRAL_FEE_OFF: { level: 'WARNING', about: 'The market pays referrers nothing at present.' },
  REFERRER_FINAL: { level: 'INFO', about: 'A wallet names its referrer once and for all.' },
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
  REDEEMED_IN_PART: {
    level: 'WARNING',
    about: 'The vault has too few collateral tokens of the reserve for all of the shares.',
  },
  SHARES_LEFT: {
    level: 'WARNING',
    about: 'Some of the shares can neither be withdrawn now nor wait in a withdraw queue.',
  },
  ROUNDED_PAYOUT: {
    level: 'INFO',
    about: 'Rounding pays out a few base units less than was asked for, or than the shares are worth.',
  },
  ORDER_TRIGGERED_NOW: {
    level: 'WARNING',
    about: 'The condition of the order holds now, so anyone may execute it as soon as it is set.',
  },
  ROLLOVER_UNAVAILABLE: {
    level: 'WARNING',
    about: 'Nobody can roll the debt over on these settings at present.',
  },
  ROLLOVER_RATE_UNLIMITED: {
    level: 'WARNING',
    about: 'The settings allow a rollover to a debt whose rate has no limit.',
  },
  ROLLED_OVER_IN_PART: {
    level: 'WARNING',
    about: 'The new reserve can take over only a part of the debt; the rest keeps its end.',
  },
  ROLLOVER_RATE_HIGHER: {
    level: 'WARNING',
    about: 'The highest rate of the debt is higher after the rollover.',
  },
  ROLLOVER_ENDS_EARLIER: {
    level: 'WARNING',
    about: 'The debt ends earlier after the rollover than before, or gets an end.',
  },
  ROLLOVER_SETTINGS_CLEARED: {
    level: 'INFO',
    about: 'The rollover settings of the debt are lost: a debt without a term keeps none.',
  },
  ORDER_REPLACED: { level: 'INFO', about: 'The order replaces another one of the obligation.' },
  ORDER_ABSENT: { level: 'WARNING', about: 'There is no order to cancel, so nothing changes.' },
  ORDER_WITHOUT_BONUS: {
    level: 'WARNING',
    about: 'The order pays no bonus, so probably nobody executes it.',
  },
  ORDER_PAUSED: {
    level: 'WARNING',
    about: 'The market has switched off everything that prices trigger, orders included.',
  },
  BORROW_ORDER_UNFILLABLE: {
    level: 'WARNING',
    about:
      'Nobody can fill the borrow order as things are: no reserve meets its terms, or the market refuses it.',
  },
  FILLED_IN_PART: {
    level: 'INFO',
    about: 'Only a part of the borrow order can be filled from this reserve now.',
  },
  NEW_OWNER_CANNOT_ACCEPT: {
    level: 'WARNING',
    about: 'The new owner is an account of a program, which cannot accept an obligation.',
  },
  OBLIGATION_MAY_CHANGE: {
    level: 'WARNING',
    about: 'The present owner can still withdraw and borrow until the obligation is accepted.',
  },
  ORDERS_STAY: {
    level: 'INFO',
    about: 'The orders of the obligation stay in force under its new owner.',
  },
  REWARDS_STAY: {
    level: 'WARNING',
    about: 'Farm rewards of the obligation stay with its present owner.',
  },
  ALLOCATION_IN_USE: {
    level: 'ERROR',
    about: 'The vault has tokens in the reserve, or gives it weight, so it cannot be removed.',
  },
  RESERVE_NOT_WHITELISTED: {
    level: 'ERROR',
    about: 'The vault uses listed reserves only, and this one is not listed.',
  },
  INVEST_TOO_SOON: {
    level: 'ERROR',
    about: 'The delay of the vault between two investments in the reserve is not over.',
  },
  NOTHING_TO_INVEST: {
    level: 'ERROR',
    about: 'The investment is at its target, or too close to it to be worth a transaction.',
  },
  NEW_VAULT_SIGNS: {
    level: 'INFO',
    about: 'The key pair of the new vault must sign the transaction too.',
  },
  NO_FEES_TO_WITHDRAW: { level: 'WARNING', about: 'The vault owes its admin no whole base unit of fees.' },
  PART_OF_FEES: { level: 'WARNING', about: 'The vault pays only a part of its fees now.' },
  REWARDS_NOT_RELEASED: { level: 'INFO', about: 'The vault has rewards, but releases none at present.' },
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
  QUEUE_NOT_NEEDED: {
    level: 'INFO',
    about: 'The reserve has the liquidity for an ordinary withdrawal, which pays at once.',
  },
  TICKET_UNPAYABLE: {
    level: 'WARNING',
    about:
      'The destination of the ticket cannot be paid: it loses its turn, and its collateral tokens can only be recovered.',
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
