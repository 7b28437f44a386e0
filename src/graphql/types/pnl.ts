import type { Denominated } from '../../domain/pnl/denominated.ts';
import type { PnlRow } from '../../domain/pnl/vault-pnl.ts';
import {
  type PositionPnl,
  positionPnl,
  positionPnlHistory,
  rowInstant,
} from '../../services/positions-over-time/position-pnl.ts';
import { pricesSince } from '../../services/positions-over-time/prices-since.ts';
import type { VaultRecord } from '../../services/records.ts';
import { builder } from '../builder.ts';
import { VaultPositionRef } from '../node-refs.ts';
import { DenominatedRef } from './denominated.ts';
import { IntervalRef, TimeRangeInput } from './time.ts';

const NO_HISTORY =
  'Null, with an error, where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE); without one when nothing is known of what the shares were worth.';

const PNL_KINDS = { buy: 'BUY', sell: 'SELL', 'mark-to-market': 'MARK_TO_MARKET' } as const;

const PnlPointKindRef = builder.enumType('PnlPointKind', {
  description: 'Why a position was valued.',
  values: {
    BUY: { description: 'Shares came: a deposit, or a transfer at the share price of that moment.' },
    SELL: { description: 'Shares went: a withdrawal, or a transfer at the share price of that moment.' },
    MARK_TO_MARKET: { description: 'Nothing happened: a UTC midnight, or the end of the history.' },
  } as const,
});

const PnlPricesRef = builder.objectRef<PnlRow['tokenPrice']>('PnlPrices').implement({
  description: 'USD price of each denomination at a moment.',
  fields: (t) => ({
    usd: t.expose('usd', { type: 'Decimal', nullable: false, description: 'Of a dollar: 1.' }),
    sol: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'Of SOL. Null when none was recorded.',
    }),
    token: t.expose('token', {
      type: 'Decimal',
      nullable: true,
      description: 'Of the vault\u2019s token. Null when none was recorded.',
    }),
  }),
});

const PnlPointRef = builder.objectRef<PnlRow>('PnlPoint').implement({
  description: 'A position after a buy or sell, or at a moment.',
  fields: (t) => {
    const denominated = (name: DenominatedField, description: string) =>
      t.field({ type: DenominatedRef, nullable: false, description, resolve: (row) => row[name] });
    return {
      timestamp: t.field({
        type: 'DateTime',
        nullable: false,
        description: 'When.',
        resolve: rowInstant,
      }),
      kind: t.field({
        type: PnlPointKindRef,
        nullable: false,
        description: 'Why.',
        resolve: ({ type }) => PNL_KINDS[type],
      }),
      position: t.expose('position', {
        type: 'Decimal',
        nullable: false,
        description: 'Whole shares held from here on.',
      }),
      quantity: t.expose('quantity', {
        type: 'Decimal',
        nullable: false,
        description: 'Whole shares bought or sold; of a mark, the position.',
      }),
      tokenPrice: t.field({
        type: PnlPricesRef,
        nullable: false,
        description: 'USD price of each denomination.',
        resolve: ({ tokenPrice }) => tokenPrice,
      }),
      sharePrice: denominated('sharePrice', 'What one share was worth.'),
      costBasis: denominated('costBasis', 'What the shares held have cost, by average cost.'),
      realizedPnl: denominated('realizedPnl', 'Gained with shares that were sold, so far.'),
      pnl: denominated('pnl', '`positionValue` - `costBasis` + `realizedPnl`, exactly.'),
      positionValue: denominated('positionValue', '`position` x `sharePrice`, exactly.'),
      investment: denominated('investment', 'Put in minus taken out so far.'),
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
  description: 'What a position cost, brought and was worth over time.',
  fields: (t) => ({
    points: t.field({
      type: [PnlPointRef],
      nullable: false,
      description:
        'Ascending: every buy and sell, a mark at each UTC midnight since the first one, and a mark at the end.',
      resolve: ({ rows }) => [...rows],
    }),
    interval: t.field({
      type: IntervalRef,
      nullable: false,
      description: 'Distance of the marks: DAY. Buys and sells stand where they happened.',
      resolve: () => 'DAY' as const,
    }),
    recordedSince: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Since when prices of the vault\u2019s token are known. Null when none was recorded.',
      resolve: ({ vault }, _args, { platform, session }) =>
        pricesSince(platform, session, vault.value.tokenMint),
    }),
    totalPnl: t.field({
      type: DenominatedRef,
      nullable: false,
      description: '`pnl` of the last point; zero without one.',
      resolve: ({ pnl }) => pnl,
    }),
    totalCostBasis: t.field({
      type: DenominatedRef,
      nullable: false,
      description: '`costBasis` of the last point; zero without one.',
      resolve: ({ costBasis }) => costBasis,
    }),
    complete: t.exposeBoolean('complete', {
      nullable: false,
      description:
        'Whether everything since the wallet\u2019s first transaction was read from the chain, and all shares that were sold were seen to come.',
    }),
    priced: t.exposeBoolean('priced', {
      nullable: false,
      description:
        'Whether prices were recorded at every buy and sell. USD and SOL are null from the first on that has none.',
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
    costBasis: current('What the shares have cost, by average cost.', ({ costBasis }) => costBasis),
    pnl: current(
      'What the position has brought so far: its value less its cost basis, and what was realised.',
      ({ pnl }) => pnl,
    ),
    realizedPnl: current(
      'Gained with shares that were sold, earlier positions in the vault included.',
      ({ realizedPnl }) => realizedPnl,
    ),
    pnlHistory: t.field({
      type: PnlHistoryRef,
      nullable: true,
      description: `The same over time. ${NO_HISTORY}`,
      args: {
        range: t.arg({
          type: TimeRangeInput,
          description:
            'Which part of it; what came before counts. The last point marks its end. All of it, up to now, when left out.',
        }),
      },
      resolve: async ({ wallet, vault }, { range }, { platform, session }) => {
        const history = await positionPnlHistory(platform, session, wallet, vault, range ?? {});
        return history && { ...history, vault };
      },
    }),
  };
});
