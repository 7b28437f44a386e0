import type { Denominated } from '../../../domain/pnl/denominated.ts';
import type { PnlRow } from '../../../domain/pnl/vault-pnl.ts';
import {
  type PositionPnl,
  positionPnl,
  positionPnlHistory,
  rowInstant,
} from '../../../services/history/vault-positions/position-pnl.ts';
import { pricesSince } from '../../../services/history/vault-positions/prices-since.ts';
import type { VaultRecord } from '../../../services/request/records.ts';
import { builder } from '../../builder.ts';
import { VaultPositionRef } from '../../node-refs.ts';
import { IntervalRef, TimeRangeInput } from '../history/time.ts';
import { DenominatedRef } from './denominated.ts';

const NO_HISTORY =
  'Null when no share price is known; null with an error when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).';

const PNL_KINDS = { buy: 'BUY', sell: 'SELL', 'mark-to-market': 'MARK_TO_MARKET' } as const;

const PnlPointKindRef = builder.enumType('PnlPointKind', {
  description: 'The event that a point of a profit-and-loss history records.',
  values: {
    BUY: { description: 'Shares were added by a deposit, or by a transfer at the share price at that time.' },
    SELL: {
      description: 'Shares were removed by a withdrawal, or by a transfer at the share price at that time.',
    },
    MARK_TO_MARKET: {
      description: 'A valuation without a transaction, at UTC midnight or at the end of the history.',
    },
  } as const,
});

const PnlPricesRef = builder.objectRef<PnlRow['tokenPrice']>('PnlPrices').implement({
  description: 'Prices in USD of the denominations at one time.',
  fields: (t) => ({
    usd: t.expose('usd', { type: 'Decimal', description: 'Price of one dollar: always 1.' }),
    solUsd: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'Price of SOL in USD. Null when none was recorded.',
    }),
    tokenUsd: t.expose('token', {
      type: 'Decimal',
      nullable: true,
      description: 'Price of the vault\u2019s token in USD. Null when none was recorded.',
    }),
  }),
});

const PnlPointRef = builder.objectRef<PnlRow>('PnlPoint').implement({
  description: 'A position after a buy or a sell, or at a mark-to-market valuation.',
  fields: (t) => {
    const denominated = (name: DenominatedField, description: string) =>
      t.field({ type: DenominatedRef, description, resolve: (row) => row[name] });
    return {
      timestamp: t.field({ type: 'DateTime', description: 'Time of the point.', resolve: rowInstant }),
      kind: t.field({
        type: PnlPointKindRef,
        description: 'Event that the point records.',
        resolve: ({ type }) => PNL_KINDS[type],
      }),
      position: t.expose('position', { type: 'Decimal', description: 'Whole shares held after this point.' }),
      quantity: t.expose('quantity', {
        type: 'Decimal',
        description: 'Whole shares bought or sold. For a mark-to-market point, the position.',
      }),
      prices: t.expose('tokenPrice', { type: PnlPricesRef, description: 'Prices of the denominations.' }),
      sharePrice: denominated('sharePrice', 'Value of one share.'),
      costBasis: denominated('costBasis', 'Cost of the shares held, by average cost.'),
      realizedPnl: denominated('realizedPnl', 'Profit from shares sold so far.'),
      pnl: denominated('pnl', '`positionValue` - `costBasis` + `realizedPnl`, exactly.'),
      positionValue: denominated('positionValue', '`position` x `sharePrice`, exactly.'),
      investment: denominated('investment', 'Net investment so far: deposits less withdrawals.'),
    };
  },
});

type DenominatedField = {
  [K in keyof PnlRow]: PnlRow[K] extends Denominated ? K : never;
}[Exclude<keyof PnlRow, 'tokenPrice'>];

interface PnlHistory extends PositionPnl {
  readonly vault: VaultRecord;
}

const PnlHistoryRef = builder.objectRef<PnlHistory>('PnlHistory').implement({
  description: 'Cost, profit and value of a position over time.',
  fields: (t) => ({
    points: t.expose('rows', {
      type: [PnlPointRef],
      description:
        'Points in ascending order of time: every buy and sell, a valuation at each UTC midnight since the first one, and a valuation at the end.',
    }),
    interval: t.field({
      type: IntervalRef,
      description:
        'Interval of the mark-to-market points: always DAY. Buys and sells have the time of their block.',
      resolve: () => 'DAY' as const,
    }),
    recordedSince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the first recorded price of the vault\u2019s token. Null when none was recorded.',
      resolve: ({ vault }, _args, { platform, session }) =>
        pricesSince(platform, session, vault.value.tokenMint),
    }),
    totalPnl: t.expose('pnl', {
      type: DenominatedRef,
      description: '`pnl` of the last point. Zero when there are no points.',
    }),
    totalCostBasis: t.expose('costBasis', {
      type: DenominatedRef,
      description: '`costBasis` of the last point. Zero when there are no points.',
    }),
    complete: t.exposeBoolean('complete', {
      description:
        'Whether all transactions since the wallet\u2019s first one have been read from the chain and account for every share sold.',
    }),
    priced: t.exposeBoolean('priced', {
      description:
        'Whether a price was recorded for every buy and sell. USD and SOL are null from the first one without a price.',
    }),
  }),
});

builder.objectFields(VaultPositionRef, (t) => {
  const current = (description: string, pick: (pnl: PositionPnl) => Denominated) =>
    t.field({
      type: DenominatedRef,
      nullable: true,
      description: `${description} ${NO_HISTORY}`,
      resolve: async ({ wallet, vault }, _args, { platform, session }) => {
        const pnl = await positionPnl(platform, session, wallet, vault);
        return pnl && pick(pnl);
      },
    });
  return {
    costBasis: current('Cost of the shares held, by average cost.', ({ costBasis }) => costBasis),
    pnl: current(
      'Profit and loss so far: current value less cost basis, plus the realised profit.',
      ({ pnl }) => pnl,
    ),
    realizedPnl: current(
      'Profit from shares sold, including earlier positions in the vault.',
      ({ realizedPnl }) => realizedPnl,
    ),
    pnlHistory: t.field({
      type: PnlHistoryRef,
      nullable: true,
      description: `Profit and loss over time. ${NO_HISTORY}`,
      args: {
        range: t.arg({
          type: TimeRangeInput,
          description:
            'Time range of the points. Earlier transactions still count towards the values. The last point is a valuation at the end of the range. Defaults to the whole history up to now.',
        }),
      },
      resolve: async ({ wallet, vault }, { range }, { platform, session }) => {
        const history = await positionPnlHistory(platform, session, wallet, vault, range ?? {});
        return history && { ...history, vault };
      },
    }),
  };
});
