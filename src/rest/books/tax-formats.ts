import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import type { MovementKind } from '../../services/history/activity/movements.ts';
import type { TokenAmount } from '../../services/tokens/amounts.ts';
import { timeText } from './activity-rows.ts';
import type { Symbols } from './book-amounts.ts';
import { type Cell, numeric } from './csv.ts';

/** Movements of activity, and income that accrues without a transaction. */
export type TaxKind = MovementKind | 'INTEREST_EARNED' | 'INTEREST_PAID';

/** A movement of one token in or out of the accounts of the wallet's owner. */
export interface TaxRow {
  readonly time: Date;
  readonly kind: TaxKind;
  readonly direction: 'in' | 'out';
  /** Null for something unknown, which counts as nothing and says so. */
  readonly amount: TokenAmount | null;
  readonly account: string;
  readonly description: string;
  /** Null for income that accrues. */
  readonly signature: string | null;
}

/** A tax program, by the columns that it imports. */
export interface TaxFormat {
  readonly columns: readonly string[];
  cells(row: TaxRow, symbols: Symbols): Cell[];
}

const KOINLY_LABELS: Readonly<Record<TaxKind, string>> = {
  TO_POOL: 'Send to pool',
  FROM_POOL: 'Remove from pool',
  LOAN: 'Loan',
  LOAN_REPAYMENT: 'Loan repayment',
  FEE: 'Loan fee',
  REWARD: 'Reward',
  TRANSFER_IN: '',
  TRANSFER_OUT: '',
  LIQUIDATED: '',
  INTEREST_EARNED: 'Lending interest',
  INTEREST_PAID: 'Loan interest',
  UNKNOWN: '',
};

const KOINLY: TaxFormat = {
  columns: [
    'Date',
    'Sent Amount',
    'Sent Currency',
    'Received Amount',
    'Received Currency',
    'Fee Amount',
    'Fee Currency',
    'Net Worth Amount',
    'Net Worth Currency',
    'Label',
    'Description',
    'TxHash',
  ],
  cells(row, symbols) {
    const [out, into] = sides(row, symbols);
    const usd = row.amount?.usd ? places(row.amount.usd, USD_PLACES) : null;
    return [
      `${row.time.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      ...out,
      ...into,
      null,
      null,
      numeric(usd),
      usd === null ? null : 'USD',
      KOINLY_LABELS[row.kind],
      row.description,
      row.signature,
    ];
  },
};

const COINTRACKING_TYPES: Readonly<Record<TaxKind, string>> = {
  TO_POOL: 'Withdrawal',
  FROM_POOL: 'Deposit',
  LOAN: 'Deposit',
  LOAN_REPAYMENT: 'Withdrawal',
  FEE: 'Borrowing Fee',
  REWARD: 'Reward / Bonus',
  TRANSFER_IN: 'Deposit',
  TRANSFER_OUT: 'Withdrawal',
  LIQUIDATED: '',
  INTEREST_EARNED: 'Lending Income',
  INTEREST_PAID: 'Borrowing Fee',
  UNKNOWN: 'Deposit',
};

const COINTRACKING: TaxFormat = {
  columns: [
    'Type',
    'Buy Amount',
    'Buy Currency',
    'Sell Amount',
    'Sell Currency',
    'Fee',
    'Fee Currency',
    'Exchange',
    'Trade-Group',
    'Comment',
    'Date',
    'Tx-ID',
    'Buy Value',
    'Sell Value',
  ],
  cells(row, symbols) {
    const [out, into] = sides(row, symbols);
    const usd = numeric(row.amount?.usd ? places(row.amount.usd, USD_PLACES) : null);
    const isIn = row.direction === 'in';
    return [
      COINTRACKING_TYPES[row.kind] || (isIn ? 'Deposit' : 'Withdrawal'),
      ...into,
      ...out,
      null,
      null,
      row.account,
      '',
      row.description,
      timeText(row.time),
      row.signature,
      isIn ? usd : null,
      isIn ? null : usd,
    ];
  },
};

export const TAX_FORMATS = { koinly: KOINLY, cointracking: COINTRACKING } as const;

const USD_PLACES = 8;

/** Programs refuse more digits than a token has. */
function places(value: Rational, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  return toDecimalString(Rational.of(value.mul(integer(scale)).round(), scale));
}

/** The token of a row about something unknown: importers demand one. */
const NOTHING: readonly Cell[] = [{ number: '0' }, 'SOL'];

/** Amount and currency sent, and amount and currency received. */
function sides({ direction, amount }: TaxRow, symbols: Symbols): readonly [readonly Cell[], readonly Cell[]] {
  const none: readonly Cell[] = [null, null];
  const moved: readonly Cell[] =
    amount === null
      ? NOTHING
      : [{ number: places(amount.amount, amount.decimals) }, symbols.get(amount.mint) ?? amount.mint];
  return direction === 'in' ? [none, moved] : [moved, none];
}
