import type { ActionPreview, Decimal } from '@sluice/client';
import { count, health, leverage, part, rate, type Shown, tokens, usd } from '../format/numbers.ts';
import type { Verb } from './action.ts';

export interface PreviewRow {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly show: (value: Decimal) => Shown;
  /** Why it is not known. */
  readonly absent: string;
}

const UNKNOWN = 'A value that it depends on is unknown';
const NO_DEBT = 'No debt, or a value is unknown';
const NO_GROUP = 'In no group';
/** An amount whose unit is in the name of its row. */
export function bare(value: Decimal): Shown {
  const { text, spoken } = tokens(value, '');
  return { text: text.trim(), spoken: spoken.trim() };
}

/** The values that apply to an action, in the order in which they matter. */
export function previewRows(preview: ActionPreview, verb: Verb, symbol: string): readonly PreviewRow[] {
  const rows: readonly (Omit<PreviewRow, 'before' | 'after'> & { readonly change: Change | null })[] = [
    {
      name: `${verb === 'borrow' || verb === 'repay' ? 'Debt' : 'Deposit'} in ${symbol}`,
      change: preview.tokens,
      show: (value) => tokens(value, symbol),
      absent: UNKNOWN,
    },
    {
      name: `Ticket in ${symbol}`,
      change: preview.withdrawQueue?.tokens ?? null,
      show: (value) => tokens(value, symbol),
      absent: UNKNOWN,
    },
    {
      name: 'Collateral tokens in the ticket',
      change: preview.withdrawQueue?.collateral ?? null,
      show: bare,
      absent: UNKNOWN,
    },
    { name: 'Shares', change: preview.shares, show: bare, absent: UNKNOWN },
    { name: 'Staked shares', change: preview.stakedShares, show: bare, absent: UNKNOWN },
    { name: 'Shares in the wallet', change: preview.unstakedShares, show: bare, absent: UNKNOWN },
    { name: 'Elevation group', change: preview.elevationGroup, show: count, absent: NO_GROUP },
    { name: 'Debt in its token', change: preview.debtTokens, show: bare, absent: UNKNOWN },
    { name: 'Leverage', change: preview.leverage, show: leverage, absent: UNKNOWN },
    { name: 'Health factor', change: preview.healthFactor, show: health, absent: NO_DEBT },
    { name: 'Loan to value', change: preview.loanToValue, show: part, absent: UNKNOWN },
    { name: 'Borrow limit', change: preview.borrowLimitUsd, show: usd, absent: UNKNOWN },
    { name: 'Can still borrow', change: preview.maxBorrowUsd, show: usd, absent: UNKNOWN },
    { name: 'Net value', change: preview.netValueUsd, show: usd, absent: UNKNOWN },
    { name: 'Supply APY, interest', change: preview.supplyInterestApy, show: rate, absent: UNKNOWN },
    { name: 'Borrow APY, interest', change: preview.borrowInterestApy, show: rate, absent: UNKNOWN },
    { name: 'Utilization', change: preview.utilization, show: part, absent: UNKNOWN },
  ];
  return rows.flatMap(({ change, ...row }) =>
    change === null || (change.before === null && change.after === null)
      ? []
      : [{ ...row, before: change.before, after: change.after }],
  );
}

interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

export interface PreviewAmount {
  readonly name: string;
  readonly amount: string;
  readonly symbol: string;
}

/** Amounts that an action on a withdraw queue pays, returns or takes as rent. */
export function queueAmounts({ withdrawQueue }: ActionPreview): readonly PreviewAmount[] {
  if (withdrawQueue === null) return [];
  const { paid, returned, rent } = withdrawQueue;
  return [
    { name: 'Paid to the owner', moved: paid },
    { name: 'Returned collateral tokens', moved: returned },
    { name: 'Rent, most of which returns', moved: rent },
  ].flatMap(({ name, moved }) =>
    moved === null ? [] : [{ name, amount: moved.amount, symbol: moved.token.symbol }],
  );
}

const FEES: Readonly<Record<ActionPreview['fees'][number]['kind'], string>> = {
  CRANK: 'Investment fee',
  EARLY_REPAY_PENALTY: 'Early repayment penalty',
  FLASH_LOAN: 'Flash loan fee',
  ORIGINATION: 'Origination fee',
  WITHDRAWAL_PENALTY: 'Withdrawal penalty',
};

export const feeName = (kind: keyof typeof FEES): string => FEES[kind];
