import type { z } from '@hono/zod-openapi';
import type { Address } from '@solana/kit';
import { SluiceError } from '../../errors/sluice-error.ts';
import type {
  IncomeTotals,
  PeriodIncome,
  TokenIncome,
  WalletIncome,
} from '../../services/history/income/wallet-income.ts';
import type { TokenAmount } from '../../services/tokens/amounts.ts';
import type { Value } from '../../services/wallets/wallets.ts';
import { amountCells, timeText } from './activity-rows.ts';
import type { BookFormat } from './activity-schemas.ts';
import { bookAmount, decimalOrNull, type Symbols } from './book-amounts.ts';
import { type Cell, csvLine, numeric } from './csv.ts';
import type { BookIncome } from './income-schemas.ts';
import { TAX_FORMATS, type TaxRow } from './tax-formats.ts';

const AMOUNTS = ['interestEarned', 'interestPaid', 'rewards', 'fees', 'liquidations'] as const;
const GAINS = ['realizedGain', 'unrealizedGain'] as const;

type Answer = z.input<typeof BookIncome>;

/** The amounts of an income, for their tickers. */
export const amountsIn = ({ periods }: WalletIncome): (TokenAmount | null)[] =>
  periods.flatMap(({ tokens }) => tokens.flatMap((each) => AMOUNTS.map((name) => each[name])));

/** An income as JSON. */
export function incomeAnswer(income: WalletIncome, symbols: Symbols): Answer {
  return {
    by: income.by,
    method: income.method,
    periods: income.periods.map(({ start, end, tokens, total }) => ({
      start: start.toISOString(),
      end: end.toISOString(),
      tokens: tokens.map((each) => tokenAnswer(each, symbols)),
      total: totalsAnswer(total),
    })),
    tokens: income.tokens.map((each) => tokenAnswer(each, symbols)),
    total: totalsAnswer(income.total),
    gaps: [...income.gaps],
    complete: income.complete,
  };
}

const valueAnswer = ({ usd, sol }: Value) => ({ usd: decimalOrNull(usd), sol: decimalOrNull(sol) });

function tokenAnswer(income: TokenIncome, symbols: Symbols): Answer['tokens'][number] {
  const amount = (value: TokenAmount | null) => value && bookAmount(value, symbols);
  return {
    mint: income.mint,
    interestEarned: amount(income.interestEarned),
    interestPaid: amount(income.interestPaid),
    rewards: amount(income.rewards),
    fees: amount(income.fees),
    liquidations: amount(income.liquidations),
    realizedGain: valueAnswer(income.realizedGain),
    unrealizedGain: valueAnswer(income.unrealizedGain),
  };
}

const totalsAnswer = (totals: IncomeTotals): Answer['total'] => ({
  interestEarned: valueAnswer(totals.interestEarned),
  interestPaid: valueAnswer(totals.interestPaid),
  rewards: valueAnswer(totals.rewards),
  fees: valueAnswer(totals.fees),
  liquidations: valueAnswer(totals.liquidations),
  realizedGain: valueAnswer(totals.realizedGain),
  unrealizedGain: valueAnswer(totals.unrealizedGain),
  profit: valueAnswer(totals.profit),
});

const titled = (name: string) =>
  name.replace(/([A-Z])/g, ' $1').replace(/^./, (first) => first.toUpperCase());

const COLUMNS: readonly string[] = [
  'Start (UTC)',
  'End (UTC)',
  'Currency',
  'Mint',
  ...AMOUNTS.flatMap((name) => [`${titled(name)} Amount`, `${titled(name)} USD`, `${titled(name)} SOL`]),
  ...GAINS.flatMap((name) => [`${titled(name)} USD`, `${titled(name)} SOL`]),
  'Unknown',
  'Cursor',
];

/** The lines of an income: one for each period and token, and one for each gap. A tax program gets interest alone. */
export function* incomeLines(
  income: WalletIncome,
  symbols: Symbols,
  format: BookFormat,
  { header, after }: { readonly header: boolean; readonly after: RowKey | null },
): Generator<string, void> {
  const isTax = format !== 'sluice';
  if (header) yield csvLine(isTax ? TAX_FORMATS[format].columns : COLUMNS);
  for (const period of income.periods) {
    for (const token of period.tokens) {
      const at = { start: period.start.getTime(), mint: token.mint };
      if (after !== null && !isAfter(at, after)) continue;
      if (!isTax) yield csvLine(cells(period, token, symbols, writeRowCursor(at)));
      else {
        for (const row of interestRows(period, token)) yield csvLine(TAX_FORMATS[format].cells(row, symbols));
      }
    }
  }
  for (const { reason, address } of income.gaps) {
    yield isTax
      ? csvLine(TAX_FORMATS[format].cells(gapRow(income, reason, address), symbols))
      : csvLine(gapCells(reason, address));
  }
}

function cells({ start, end }: PeriodIncome, income: TokenIncome, symbols: Symbols, cursor: string): Cell[] {
  const unknown = [
    ...AMOUNTS.filter((name) => income[name] === null || income[name]?.usd === null),
    ...GAINS.filter((name) => income[name].usd === null),
  ];
  const [any] = AMOUNTS.flatMap((name) => income[name] ?? []);
  return [
    timeText(start),
    timeText(end),
    any === undefined ? income.mint : (symbols.get(any.mint) ?? any.mint),
    income.mint,
    ...AMOUNTS.flatMap((name) => {
      const [amount = null, , , usd = null, sol = null] = amountCells(income[name], symbols);
      return [amount, usd, sol];
    }),
    ...GAINS.flatMap((name) => [
      numeric(decimalOrNull(income[name].usd)),
      numeric(decimalOrNull(income[name].sol)),
    ]),
    unknown.join(' '),
    cursor,
  ];
}

const gapCells = (reason: string, address: Address): Cell[] =>
  COLUMNS.map((column) =>
    column === 'Unknown' ? reason : column === 'Mint' ? address : column === 'Currency' ? 'INCOMPLETE' : null,
  );

/** Interest accrues without a transaction. It is dated at the last second of its period. */
function interestRows({ start, end }: PeriodIncome, token: TokenIncome): TaxRow[] {
  const time = new Date(end.getTime() - 1_000);
  const rows = [
    { kind: 'INTEREST_EARNED', direction: 'in', amount: token.interestEarned, what: 'Interest earned' },
    { kind: 'INTEREST_PAID', direction: 'out', amount: token.interestPaid, what: 'Interest owed' },
  ] as const;
  return rows.flatMap(({ kind, direction, amount, what }): TaxRow[] => {
    if (amount?.baseUnits.isZero) return [];
    const span = `${start.toISOString().slice(0, 10)} to ${time.toISOString().slice(0, 10)}`;
    const unknown = amount === null ? ', AMOUNT UNKNOWN' : '';
    return [
      {
        time,
        kind: amount === null ? 'UNKNOWN' : kind,
        direction,
        amount,
        account: 'Interest',
        description: `${what} ${span}, mint ${token.mint}${unknown}`,
        signature: null,
      },
    ];
  });
}

function gapRow({ periods }: WalletIncome, reason: string, address: Address): TaxRow {
  return {
    time: new Date((periods.at(-1)?.end.getTime() ?? 1_000) - 1_000),
    kind: 'UNKNOWN',
    direction: 'in',
    amount: null,
    account: 'Unknown',
    description: `INCOMPLETE: ${reason} ${address}`,
    signature: null,
  };
}

/** A row of a file. */
export interface RowKey {
  readonly start: number;
  readonly mint: string;
}

const isAfter = (at: RowKey, after: RowKey) =>
  at.start === after.start ? at.mint > after.mint : at.start > after.start;

const writeRowCursor = ({ start, mint }: RowKey) => Buffer.from(`${start}.${mint}`).toString('base64url');

/** @throws CURSOR_INVALID */
export function readRowCursor(cursor: string | undefined): RowKey | null {
  if (cursor === undefined) return null;
  const match = /^(\d{1,15})\.(\w{32,44})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, start, mint] = match ?? [];
  if (start === undefined || mint === undefined)
    throw new SluiceError('CURSOR_INVALID', { cursor: cursor.slice(0, 80) });
  return { start: Number(start), mint };
}
