import type { ObligationSnapshot } from '../../../services/obligation-index/index-update.ts';
import {
  type Borrower,
  type CollateralShare,
  type DebtEndBucket,
  type MarketRisk,
  marketRisk,
} from '../../../services/risk/market-risk.ts';
import { builder } from '../../builder.ts';
import { MarketRef } from '../../node-refs.ts';
import { presentReserveFields } from '../reserve/reserve-fields.ts';
import { PriceShockInput } from './price-shock.ts';
import { checkedFirst, ScenarioRiskRef } from './scenario-risk.ts';

const MAX_BORROWERS = 100;

export const MarketShockInput = builder.inputType('MarketShock', {
  description: 'Prices to suppose together.',
  fields: (t) => ({
    label: t.string({ required: true, description: 'Name of the shock in the answer.' }),
    prices: t.field({
      type: [PriceShockInput],
      required: true,
      description: 'Supposed prices. Tokens that are not named keep their present price.',
    }),
  }),
});

export const LoanIndexRef = builder.objectRef<ObligationSnapshot>('LoanIndex').implement({
  description:
    'State of the loans that an answer is computed from: that of the View if it has the positions of wallets. Otherwise they are cached in memory and updated with what changed on chain.',
  fields: (t) => ({
    indexedAt: t.expose('indexedAt', {
      type: 'DateTime',
      description:
        'When the chain was last asked for changes, or the time of the View. Old when the RPC cannot be read.',
    }),
    slot: t.expose('slot', {
      type: 'U64',
      description:
        'Slot of the RPC answer to that request, or of the View. Later changes to loans are not included.',
    }),
    loans: t.int({
      description: 'Number of loans: obligations of the market that have debt.',
      resolve: ({ table }) => table.size,
    }),
    unreadable: t.exposeInt('unreadable', {
      description: 'Number of obligations with debt whose account cannot be decoded. They are left out.',
    }),
  }),
});

const BorrowerRef = builder.objectRef<Borrower>('Borrower').implement({
  description: 'All loans of one owner in a market.',
  fields: (t) => ({
    owner: t.expose('owner', { type: 'Address', description: 'The wallet that owns them.' }),
    loans: t.exposeInt('loans', { description: 'Number of loans.' }),
    debtUsd: t.expose('debtUsd', { type: 'Decimal', description: 'Their debt, in USD.' }),
    share: t.expose('share', {
      type: 'Decimal',
      description: 'Their part of the debt of all valued loans, as a fraction.',
    }),
  }),
});

const CollateralShareRef = builder.objectRef<CollateralShare>('CollateralShare').implement({
  description: 'Deposits of the borrowers of a market in one reserve.',
  fields: (t) => ({
    ...presentReserveFields(t),
    loans: t.exposeInt('loans', { description: 'Number of loans with such a deposit.' }),
    valueUsd: t.expose('valueUsd', { type: 'Decimal', description: 'Value of the deposits, in USD.' }),
    share: t.expose('share', {
      type: 'Decimal',
      description: 'Their part of the collateral of all valued loans, as a fraction.',
    }),
  }),
});

const DebtEndBucketRef = builder.objectRef<DebtEndBucket>('DebtEndBucket').implement({
  description: 'Debts with a term or a maturity, by the days until they end.',
  fields: (t) => ({
    fromDays: t.exposeInt('fromDays', {
      nullable: true,
      description: 'They end in more days than this. Null for debts that have ended.',
    }),
    toDays: t.exposeInt('toDays', {
      nullable: true,
      description: 'They end in so many days at most; 0 for debts that have ended. Null for no bound.',
    }),
    debts: t.exposeInt('debts', { description: 'Number of debts.' }),
    debtUsd: t.expose('debtUsd', { type: 'Decimal', description: 'Their value, in USD.' }),
  }),
});

const MarketRiskRef = builder.objectRef<MarketRisk>('MarketRisk').implement({
  description:
    'All loans of a market, now and under supposed prices. Values follow the rounding of the lending program at the slot of the View, so a loan counts as liquidatable exactly when the program accepts a liquidation, provided that its prices are recent.',
  fields: (t) => ({
    index: t.expose('index', {
      type: LoanIndexRef,
      description: 'State of the loans. Prices and reserves are those of the View.',
    }),
    now: t.field({
      type: ScenarioRiskRef,
      description: 'The loans at present prices.',
      resolve: ({ now }) => ({ risk: now, now }),
    }),
    shocks: t.field({
      type: [ScenarioRiskRef],
      description: 'The loans under each shock, in the order of the argument.',
      resolve: ({ shocks, now }) => shocks.map((risk) => ({ risk, now })),
    }),
    borrowers: t.exposeInt('owners', { description: 'Number of wallets that own valued loans.' }),
    largestBorrowers: t.field({
      type: [BorrowerRef],
      description: 'Owners with the largest debt at present prices, largest first.',
      args: {
        first: t.arg.int({
          required: true,
          defaultValue: 10,
          description: `Number of owners, at most ${MAX_BORROWERS}.`,
        }),
      },
      resolve: ({ borrowers }, { first }) => borrowers.slice(0, checkedFirst(first, MAX_BORROWERS)),
    }),
    debtEnds: t.expose('debtEnds', {
      type: [DebtEndBucketRef],
      description:
        'Debts of all valued loans that end one day, at present prices: those that have ended, then by the days until the first end of each. `now.endedLiquidatable` has the loans that anyone may liquidate for it.',
    }),
    collateral: t.expose('collateral', {
      type: [CollateralShareRef],
      description: 'Collateral of all valued loans by reserve at present prices, largest value first.',
    }),
  }),
});

builder.objectField(MarketRef, 'risk', (t) =>
  t.field({
    type: MarketRiskRef,
    nullable: true,
    description:
      'All loans of the market, now and under shocks, in one pass. Null, with an error, while the loans cannot be read from the RPC endpoints.',
    args: {
      shocks: t.arg({
        type: [MarketShockInput],
        required: true,
        description: 'Shocks, at most 100. Empty for current prices only.',
      }),
    },
    resolve: (market, { shocks }, { platform, session }) => marketRisk(platform, session, market, shocks),
  }),
);
