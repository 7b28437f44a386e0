import { presentAddress } from '../../programs/program-ids.ts';
import * as markets from '../../services/markets.ts';
import { paginate } from '../../services/paging.ts';
import { builder } from '../builder.ts';
import { pageArgs } from '../connections.ts';
import {
  ElevationGroupRef,
  LookupTableRef,
  MarketConnection,
  MarketRef,
  marketLink,
  ReserveRef,
  reserveLink,
  tableLink,
} from '../node-refs.ts';

export const MarketTotalsRef = builder.objectRef<markets.MarketTotals>('MarketTotals').implement({
  description: 'A market as a whole.',
  fields: (t) => ({
    suppliedUsd: t.expose('suppliedUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'USD supplied over all reserves. Null when a reserve that holds something has no price.',
    }),
    borrowedUsd: t.expose('borrowedUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'USD borrowed over all reserves. Null when a reserve that holds something has no price.',
    }),
    reserves: t.exposeInt('reserves', { nullable: false, description: 'How many reserves it has.' }),
  }),
});

MarketRef.implement({
  description: 'A lending market: reserves that can be borrowed against each other.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', nullable: false, description: 'Address of the market.' }),
    programId: t.field({
      type: 'Address',
      nullable: false,
      description: 'The lending program that runs it.',
      resolve: ({ owner }) => owner,
    }),
    name: t.string({
      nullable: false,
      description: 'Its name, from the catalogue or the account; empty when neither knows one.',
      resolve: (market, _args, { session }) => markets.marketFacts(session.view, market).name,
    }),
    description: t.string({
      nullable: false,
      description: 'What it is for; empty when the catalogue does not tell.',
      resolve: (market, _args, { session }) => markets.marketFacts(session.view, market).description,
    }),
    isPrimary: t.boolean({
      nullable: false,
      description: 'Whether this deployment shows it first.',
      resolve: (market, _args, { session }) => markets.marketFacts(session.view, market).isPrimary,
    }),
    isCurated: t.boolean({
      nullable: false,
      description: 'Whether this deployment vouches for it.',
      resolve: (market, _args, { session }) => markets.marketFacts(session.view, market).isCurated,
    }),
    lookupTable: t.field({
      type: LookupTableRef,
      nullable: true,
      description:
        'Its lookup table, which only the catalogue knows. Null when none is known; with an error when it cannot be read.',
      resolve: (market, _args, { session }) => {
        const { lookupTable } = markets.marketFacts(session.view, market);
        return lookupTable === null ? null : tableLink(session, lookupTable);
      },
    }),
    reserves: t.field({
      type: [ReserveRef],
      nullable: false,
      description: 'Its reserves, largest supply first.',
      resolve: (market, _args, { session }) => [...markets.reservesOfMarket(session.view, market)],
    }),
    elevationGroups: t.field({
      type: [ElevationGroupRef],
      nullable: false,
      description: 'Groups of reserves between which more may be borrowed.',
      resolve: (market) => markets.groupsOfMarket(market),
    }),
    borrowingDisabled: t.boolean({
      nullable: false,
      description: 'Whether nobody can borrow in it at present.',
      resolve: (market) => markets.borrowingDisabled(market),
    }),
    closeFactor: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Share of a debt that one liquidation may close, a fraction.',
      resolve: (market) => markets.closeFactor(market),
    }),
    reserveRewardsMaxAprBps: t.int({
      nullable: false,
      description:
        'Most that rewards paid straight into a reserve may amount to in a year, basis points; 0 for none.',
      resolve: ({ value }) => value.reserveRewardsMaxAprBps,
    }),
    totals: t.field({
      type: MarketTotalsRef,
      nullable: true,
      description: 'The market as a whole.',
      resolve: (market, _args, { session }) => markets.marketTotals(session.view, market),
    }),
  }),
});

builder.node(ElevationGroupRef, {
  description: 'A set of reserves of one market between which more may be borrowed.',
  id: { resolve: ({ market, number }) => `${market.address}:${number}` },
  loadOne: async (id, { session }) => {
    const [address = '', number = ''] = id.split(':');
    const market = await session.load('market', address as Parameters<typeof session.load>[1]);
    return markets.groupsOfMarket(market).find((group) => group.number === Number(number)) ?? null;
  },
  fields: (t) => ({
    number: t.exposeInt('number', { nullable: false, description: 'Its number in the market, from 1.' }),
    marketAddress: t.field({
      type: 'Address',
      nullable: false,
      description: 'Address of its market.',
      resolve: ({ market }) => market.address,
    }),
    market: t.field({
      type: MarketRef,
      nullable: true,
      description: 'Its market.',
      resolve: ({ market }) => market,
    }),
    maxLtv: t.expose('maxLtv', {
      type: 'Decimal',
      nullable: false,
      description: 'Share of a deposit\u2019s value that may be borrowed in the group, a fraction.',
    }),
    liquidationLtv: t.expose('liquidationLtv', {
      type: 'Decimal',
      nullable: false,
      description:
        'Share of a deposit\u2019s value at which debt can be liquidated in the group, a fraction.',
    }),
    debtReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The one reserve that may be borrowed. Null when none is set; with an error when it cannot be read.',
      resolve: ({ account }, _args, { session }) => {
        const debt = presentAddress(account.debtReserve);
        return debt === null ? null : reserveLink(session, debt);
      },
    }),
    collateralReserves: t.field({
      type: [ReserveRef],
      nullable: false,
      description: 'The reserves that count as collateral.',
      resolve: (group, _args, { session }) => markets.collateralOfGroup(session.view, group),
    }),
    allowsNewLoans: t.exposeBoolean('allowsNewLoans', {
      nullable: false,
      description: 'Whether new loans may be taken in it.',
    }),
  }),
});

const MarketFilterInput = builder.inputType('MarketFilter', {
  description: 'Which markets; all conditions must hold.',
  fields: (t) => ({
    addresses: t.field({ type: ['Address'], description: 'One of these markets.' }),
    primary: t.boolean({ description: 'Whether this deployment shows it first.' }),
    curated: t.boolean({ description: 'Whether this deployment vouches for it.' }),
    nameContains: t.string({ description: 'With this in its name, without regard to case.' }),
  }),
});

builder.queryFields((t) => ({
  market: t.field({
    type: MarketRef,
    nullable: true,
    description: 'A market by its address. Null, with an error, when there is none or it cannot be read.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the market.' }) },
    resolve: (_root, { address }, { session }) => marketLink(session, address),
  }),
  markets: t.field({
    type: MarketConnection,
    nullable: false,
    description: 'Markets, most supplied first.',
    args: {
      filter: t.arg({ type: MarketFilterInput, description: 'Which markets. All when left out.' }),
      ...pageArgs(t.arg),
    },
    resolve: (_root, { filter, ...page }, { session }) => {
      const which = filter ?? {};
      const list = (view: typeof session.view) => markets.listMarkets(view, which);
      return paginate(session, { key: ['markets', which], list }, page);
    },
  }),
}));
