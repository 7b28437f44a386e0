import { presentAddress } from '../../programs/program-ids.ts';
import * as markets from '../../services/markets.ts';
import { paginate } from '../../services/paging.ts';
import { builder } from '../builder.ts';
import { pageArgs } from '../connections.ts';
import {
  ElevationGroupRef,
  MarketConnection,
  MarketRef,
  marketLink,
  ReserveRef,
  reserveLink,
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
      description: 'Its name; empty when it has none.',
      resolve: (market) => markets.marketName(market),
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
    description: 'All markets, most supplied first.',
    args: pageArgs(t.arg),
    resolve: (_root, args, { session }) =>
      paginate(session, { key: ['markets'], list: markets.listMarkets }, args),
  }),
}));
