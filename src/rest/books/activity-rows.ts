import type { z } from '@hono/zod-openapi';
import type { ActivityEntry } from '../../services/history/activity/activity-entry.ts';
import type { TokenAmount } from '../../services/tokens/amounts.ts';
import type { ActivityEntry as ActivityEntrySchema } from './activity-schemas.ts';
import { bookAmount, decimalOrNull, type Symbols } from './book-amounts.ts';
import { type Cell, numeric } from './csv.ts';

export type ActivityRow = z.input<typeof ActivityEntrySchema>;

/** All amounts of an entry. */
export function amountsOf(entry: ActivityEntry): (TokenAmount | null)[] {
  const { sent, received, reward, fee } = entry;
  switch (entry.product) {
    case 'VAULT':
      return [sent, received, reward, fee, entry.tokens];
    case 'LENDING':
      return [sent, received, reward, fee, entry.amount, entry.liquidity];
    case 'WITHDRAW_QUEUE':
      return [sent, received, reward, fee, entry.liquidity];
    default:
      return [sent, received, reward, fee];
  }
}

/** An entry as JSON. */
export function activityRow(entry: ActivityEntry, cursor: string, symbols: Symbols): ActivityRow {
  const amount = (value: TokenAmount | null) => value && bookAmount(value, symbols);
  const { kind, product, key, createdAt, final, unknown } = entry;
  return {
    kind,
    product,
    createdAt: createdAt?.toISOString() ?? null,
    signature: key.signature,
    slot: String(key.slot),
    final,
    sent: amount(entry.sent),
    received: amount(entry.received),
    reward: amount(entry.reward),
    fee: amount(entry.fee),
    unknown: [...unknown],
    ...ownFields(entry, amount),
    cursor,
  };
}

function ownFields(
  entry: ActivityEntry,
  amount: (value: TokenAmount | null) => ActivityRow['sent'],
): Partial<ActivityRow> {
  switch (entry.product) {
    case 'VAULT':
      return {
        vault: entry.vault,
        sharesChange: String(entry.sharesChange),
        tokens: amount(entry.tokens),
        counterparty: entry.counterparty,
      };
    case 'LENDING':
      return {
        market: entry.market,
        obligation: entry.obligation,
        reserve: entry.reserve,
        side: entry.side === 'debt' ? 'DEBT' : 'COLLATERAL',
        amount: amount(entry.amount),
        liquidity: amount(entry.liquidity),
        collateralChange: String(entry.collateralChange),
        debtChange: String(entry.debtChange),
        signer: entry.signer,
      };
    case 'FARM':
      return {
        farm: entry.farm,
        tokenMint: entry.mint,
        stakeChange: entry.stakeChange === null ? null : String(entry.stakeChange),
      };
    case 'WITHDRAW_QUEUE':
      return {
        ticket: entry.ticket,
        market: entry.market,
        reserve: entry.reserve,
        vault: entry.vault,
        ticketChange: String(entry.ticketChange),
        liquidity: amount(entry.liquidity),
        signer: entry.signer,
      };
    case null:
      return { reason: entry.reason };
  }
}

const AMOUNTS = ['sent', 'received', 'reward', 'fee'] as const;

/** The columns of `format=sluice`. */
export const ACTIVITY_COLUMNS: readonly string[] = [
  'Time (UTC)',
  'Kind',
  'Product',
  ...AMOUNTS.flatMap((name) => {
    const title = `${name[0]?.toUpperCase()}${name.slice(1)}`;
    return [`${title} Amount`, `${title} Currency`, `${title} Mint`, `${title} USD`, `${title} SOL`];
  }),
  'Vault',
  'Shares Change',
  'Market',
  'Obligation',
  'Reserve',
  'Collateral Change',
  'Debt Change',
  'Ticket',
  'Ticket Change',
  'Farm',
  'Stake Change',
  'Unknown',
  'Final',
  'Slot',
  'Signature',
  'Cursor',
];

/** An entry in the columns of `format=sluice`. */
export function activityCells(entry: ActivityEntry, cursor: string, symbols: Symbols): Cell[] {
  const units = (value: bigint | null | undefined) => numeric(value?.toString() ?? null);
  const [vault, lending, farm, queue] = [
    entry.product === 'VAULT' ? entry : null,
    entry.product === 'LENDING' ? entry : null,
    entry.product === 'FARM' ? entry : null,
    entry.product === 'WITHDRAW_QUEUE' ? entry : null,
  ];
  return [
    timeText(entry.createdAt),
    entry.kind,
    entry.product,
    ...AMOUNTS.flatMap((name) => amountCells(entry[name], symbols)),
    vault?.vault ?? queue?.vault ?? null,
    units(vault?.sharesChange),
    lending?.market ?? queue?.market ?? null,
    lending?.obligation ?? null,
    lending?.reserve ?? queue?.reserve ?? null,
    units(lending?.collateralChange),
    units(lending?.debtChange),
    queue?.ticket ?? null,
    units(queue?.ticketChange),
    farm?.farm ?? null,
    units(farm?.stakeChange),
    entry.unknown.join(' '),
    entry.final ? 'yes' : 'no',
    { number: String(entry.key.slot) },
    entry.key.signature,
    cursor,
  ];
}

/** The last row of a file that lacks transactions. Its cursor is that of the row before it. */
export const incompleteCells = (cursor: string): Cell[] =>
  ACTIVITY_COLUMNS.map((column) => {
    if (column === 'Kind') return 'INCOMPLETE';
    if (column === 'Unknown') return 'Some transactions have not been read from the chain.';
    return column === 'Cursor' ? cursor : null;
  });

/** Amount, currency, mint, USD and SOL. */
export function amountCells(amount: TokenAmount | null, symbols: Symbols): Cell[] {
  if (amount === null) return [null, null, null, null, null];
  return [
    numeric(decimalOrNull(amount.amount)),
    symbols.get(amount.mint) ?? amount.mint,
    amount.mint,
    numeric(decimalOrNull(amount.usd)),
    numeric(decimalOrNull(amount.sol)),
  ];
}

/** `2026-01-31 23:59:59`, UTC. */
export const timeText = (time: Date | null): string | null =>
  time === null ? null : time.toISOString().slice(0, 19).replace('T', ' ');
