import { z } from '@hono/zod-openapi';
import { ACTIVITY_KINDS, ACTIVITY_PRODUCTS } from '../../services/history/activity/activity-kinds.ts';
import { address, addressOut } from '../values/address.ts';
import { dateOut, range } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { orNull } from '../values/or-null.ts';
import { nextToken, paginationToken } from '../values/pagination.ts';
import { listItems, onceBoolean, onceInteger, onceOf, onceText } from '../values/query-values.ts';

const SIGNED = '^-?(0|[1-9][0-9]*)$';

const baseUnits = (description: string) => z.string().openapi({ pattern: SIGNED, description });

const orUnknown = (description: string) => decimalOut(description).nullable();

/** An amount of a token with the value of its time. */
export const BookAmount = z
  .strictObject({
    mint: addressOut('Mint of the token.'),
    symbol: z.string().openapi({ description: 'Ticker of the token. Tokens may share one.' }),
    amount: decimalOut('Whole tokens.'),
    usd: orUnknown('Value in USD at the time. Null when no price was recorded.'),
    sol: orUnknown('Value in SOL at the time. Null when no price was recorded.'),
  })
  .openapi('BookAmount');

const amount = (description: string) => orNull(BookAmount, description);

export const ActivityEntry = z
  .strictObject({
    kind: z.enum(ACTIVITY_KINDS).openapi({ description: 'Kind of the entry.' }),
    product: z.enum(ACTIVITY_PRODUCTS).nullable().openapi({
      description: 'Product that it belongs to. Null for an UNREAD transaction.',
    }),
    createdAt: dateOut('Time of the block. Null for an UNREAD transaction.').nullable(),
    signature: z.string().openapi({ description: 'Signature of the transaction, base58.' }),
    slot: z.string().openapi({ pattern: '^(0|[1-9][0-9]*)$', description: 'Slot of the block.' }),
    final: z.boolean().openapi({ description: 'False while the cluster may still drop the transaction.' }),
    sent: amount('Tokens that the wallet sent to the program. Null when it sent none.'),
    received: amount(
      'Tokens that the wallet received from the program, without rewards. Null when it received none.',
    ),
    reward: amount('Reward that the wallet received. Null without one.'),
    fee: amount(
      'Fee of the program, which is not part of the other amounts: for a BORROW, the debt beyond the tokens received. Null without one.',
    ),
    unknown: z.array(z.enum(['TRANSACTION', 'TOKEN', 'AMOUNT', 'USD', 'SOL'])).openapi({
      description: 'Parts of the entry that are unknown. Empty when all are known.',
    }),
    vault: addressOut(
      'Address of the vault, on entries of a vault, and of a withdraw queue: null there for no vault.',
    )
      .nullable()
      .optional(),
    sharesChange: baseUnits(
      'Change of the wallet\u2019s shares, in base units of the share mint. On entries of a vault only, like the next two.',
    ).optional(),
    tokens: amount(
      'Tokens of the vault that were paid, or that the shares stood for. Null when unknown.',
    ).optional(),
    counterparty: addressOut('The other wallet of a transfer of shares. Null for other kinds.')
      .nullable()
      .optional(),
    market: addressOut(
      'Address of the market, on entries of lending and of a withdraw queue, like `reserve`, `liquidity` and `signer`.',
    ).optional(),
    obligation: addressOut(
      'Address of the obligation. On entries of lending only, like `side`, `amount`, `collateralChange` and `debtChange`.',
    ).optional(),
    reserve: addressOut('Address of the reserve.').optional(),
    side: z.enum(['COLLATERAL', 'DEBT']).optional().openapi({ description: 'Side that changed.' }),
    amount: amount(
      'Tokens by which the position changed, also when another wallet paid or took them. Null when the reserve cannot be read.',
    ).optional(),
    liquidity: amount(
      'What moved, in tokens of the reserve: collateral tokens count at their exchange rate at that time. Null when it is unknown.',
    ).optional(),
    collateralChange: baseUnits(
      'Change of the deposit, in base units of the reserve\u2019s collateral token.',
    ).optional(),
    debtChange: baseUnits(
      'Change of the debt, with its fee, in base units of the reserve\u2019s token.',
    ).optional(),
    signer: addressOut('The wallet that signed.').optional(),
    ticket: addressOut(
      'Address of the ticket. On entries of a withdraw queue only, like the next one.',
    ).optional(),
    ticketChange: baseUnits(
      'Change of the ticket, in base units of the reserve\u2019s collateral token.',
    ).optional(),
    farm: addressOut('Address of the farm. On entries of a farm only, like the next two.').optional(),
    tokenMint: addressOut('Mint of the token. Null for an UNSTAKE of a farm that can no longer be read.')
      .nullable()
      .optional(),
    stakeChange: baseUnits('Change of the active stake, in base units. Null for an UNSTAKE of everything.')
      .nullable()
      .optional(),
    reason: z.string().optional().openapi({ description: 'Reason why an UNREAD transaction is one.' }),
    cursor: z.string().openapi({ description: 'Continues the list after this entry.' }),
  })
  .openapi('ActivityEntry');

export const ActivityList = z
  .strictObject({
    result: z.array(ActivityEntry).openapi({ description: 'Entries, newest first.' }),
    complete: z.boolean().openapi({
      description:
        'Whether all transactions since the first one have been read from the chain. False while reading is in progress, and when the RPC nodes no longer hold them all.',
    }),
    paginationToken: nextToken(),
  })
  .openapi('ActivityList');

const addresses = (description: string) =>
  z
    .preprocess(
      listItems,
      z.array(address('Address.')).max(100, { error: 'must have at most 100 items' }).optional(),
    )
    .openapi({
      type: 'array',
      items: { type: 'string' },
      description: `${description} Several, separated by commas.`,
    });

const words = <const W extends readonly [string, ...string[]]>(values: W, description: string) =>
  z
    .preprocess(
      listItems,
      z.array(z.enum(values, { error: `must be ${values.join(', ')}, separated by commas` })).optional(),
    )
    .openapi({
      type: 'array',
      items: { type: 'string', enum: [...values] },
      description: `${description} Several, separated by commas.`,
    });

const filter = {
  ...range,
  kinds: words(ACTIVITY_KINDS, 'Only entries of these kinds.'),
  products: words(ACTIVITY_PRODUCTS, 'Only entries of these products.'),
  vaults: addresses('Only entries of these vaults and their farms; with `markets`, of either.'),
  markets: addresses('Only entries of these markets; with `vaults`, of either.'),
  tokens: addresses('Only entries of these mints.'),
};

export const ActivityListQuery = z.object({
  ...filter,
  limit: onceInteger(1, 100, 100, 'Entries per page.'),
  paginationToken: paginationToken(),
});

const cursor = onceText(
  'Continues after the row with this cursor, or after the file whose `Link` header names it. Only valid for the same wallet and filter; `format` and `limit` may differ.',
);

const limit = z
  .string({ error: 'must be passed only once' })
  .regex(/^[1-9]\d{0,4}$/, 'must be a whole number from 1 to 99999')
  .transform(Number)
  .optional()
  .openapi({
    type: 'integer',
    minimum: 1,
    maximum: 99_999,
    description:
      'Maximum number of entries in the file. If there are more, the `Link` header of the answer leads to the next file. Defaults to all entries.',
  });

export const FORMATS = ['sluice', 'koinly', 'cointracking'] as const;
export type BookFormat = (typeof FORMATS)[number];

export const format = onceOf(
  FORMATS,
  'Columns: all that is known (`sluice`), or those that a tax program imports. Defaults to `sluice`.',
);

export const header = onceBoolean(
  'Whether the file begins with the names of its columns. Pass false to append it to the part that was received before. Defaults to true.',
);

export const ActivityLinesQuery = z.object({ ...filter, cursor, limit });
export const ActivityCsvQuery = z.object({ ...filter, format, header, cursor, limit });

export const CsvText = z.string().openapi({ description: 'CSV by RFC 4180, UTF-8, with a header line.' });
export const JsonLines = z
  .string()
  .openapi({ description: 'One JSON object per line, UTF-8: entries, as in the list.' });
