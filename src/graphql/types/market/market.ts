import { presentAddress } from '@sluice/protocol/program-ids';
import * as markets from '../../../services/markets/markets.ts';
import { paginate } from '../../../services/paging/paging.ts';
import { accountBase64, unreadableInView } from '../../../services/request/records.ts';
import { builder } from '../../builder.ts';
import { pageArgs } from '../../connections.ts';
import {
  ElevationGroupRef,
  LookupTableRef,
  MarketConnection,
  MarketRef,
  marketLink,
  ReserveRef,
  reserveLink,
  tableLink,
} from '../../node-refs.ts';

const MarketTotalsRef = builder.objectRef<markets.MarketTotals>('MarketTotals').implement({
  description: 'Totals over all reserves of a market.',
  fields: (t) => ({
    suppliedUsd: t.expose('suppliedUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Total supplied over all reserves, in USD. Null when a reserve that holds tokens has no price.',
    }),
    borrowedUsd: t.expose('borrowedUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Total borrowed over all reserves, in USD. Null when a reserve that holds tokens has no price.',
    }),
    reserves: t.exposeInt('reserves', { description: 'Number of reserves.' }),
  }),
});

MarketRef.implement({
  description:
    'A lending market: a set of reserves in which deposits in one are collateral for borrowing from another.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the market.' }),
    programId: t.expose('owner', {
      type: 'Address',
      description: 'The lending program that owns the account.',
    }),
    name: t.string({
      description:
        'Name of the market, from its account or else from the catalogue. Empty when neither has one.',
      resolve: (market, _args, { session }) => markets.marketFacts(session.view, market).name,
    }),
    description: t.string({
      description: 'Description of the market, from the catalogue. Empty when it has none.',
      resolve: (market, _args, { session }) => markets.marketFacts(session.view, market).description,
    }),
    isPrimary: t.boolean({
      description: 'Whether the catalogue of this deployment marks it as a primary market.',
      resolve: (market, _args, { session }) => markets.marketFacts(session.view, market).isPrimary,
    }),
    isCurated: t.boolean({
      description: 'Whether the catalogue of this deployment marks it as curated.',
      resolve: (market, _args, { session }) => markets.marketFacts(session.view, market).isCurated,
    }),
    lookupTable: t.field({
      type: LookupTableRef,
      nullable: true,
      description:
        'Lookup table for transactions in this market, from the catalogue. Null when the catalogue has none; null with an error when it cannot be read.',
      resolve: (market, _args, { session }) => {
        const { lookupTable } = markets.marketFacts(session.view, market);
        return lookupTable === null ? null : tableLink(session, lookupTable);
      },
    }),
    reserves: t.field({
      type: [ReserveRef],
      description:
        'Reserves of the market, largest supply first. A reserve that cannot be read is left out and named in `extensions.warnings`.',
      resolve: (market, _args, { session, warnings }, info) => {
        warnings.leftOut(info, unreadableInView(session.view, 'reserve'));
        return [...markets.reservesOfMarket(session.view, market)];
      },
    }),
    elevationGroups: t.field({
      type: [ElevationGroupRef],
      description: 'Elevation groups of the market: sets of reserves with a higher loan-to-value.',
      resolve: (market) => markets.groupsOfMarket(market),
    }),
    borrowingDisabled: t.boolean({
      description: 'Whether borrowing is disabled in the whole market.',
      resolve: (market) => markets.borrowingDisabled(market),
    }),
    emergencyMode: t.boolean({
      description: 'Whether the market is in emergency mode, in which it accepts no action at all.',
      resolve: (market) => markets.isInEmergency(market),
    }),
    closeFactor: t.field({
      type: 'Decimal',
      description: 'Maximum part of a debt that one liquidation may repay, as a fraction.',
      resolve: (market) => markets.closeFactor(market),
    }),
    reserveRewardsMaxAprBps: t.int({
      description:
        'Maximum APR of rewards that are paid directly into a reserve, in basis points. 0 when such rewards are disabled.',
      resolve: ({ value }) => value.reserveRewardsMaxAprBps,
    }),
    accountData: t.field({
      type: 'Base64',
      description: 'The raw account data.',
      resolve: (market, _args, { objects }, info) => objects.takeText(accountBase64(market), info),
    }),
    totals: t.field({
      type: MarketTotalsRef,
      nullable: true,
      description: 'Totals over all reserves.',
      resolve: (market, _args, { session }) => markets.marketTotals(session.view, market),
    }),
  }),
});

builder.node(ElevationGroupRef, {
  description: 'An elevation group: a set of reserves of one market with a higher loan-to-value.',
  id: { resolve: ({ market, number }) => `${market.address}:${number}` },
  loadOne: async (id, { session }) => {
    const [address = '', number = ''] = id.split(':');
    const market = await session.load('market', address as Parameters<typeof session.load>[1]);
    return markets.groupsOfMarket(market).find((group) => group.number === Number(number)) ?? null;
  },
  fields: (t) => ({
    number: t.exposeInt('number', { description: 'Number of the group in its market, starting at 1.' }),
    marketAddress: t.field({
      type: 'Address',
      description: 'Address of the market.',
      resolve: ({ market }) => market.address,
    }),
    market: t.expose('market', {
      type: MarketRef,
      nullable: true,
      description: 'The market of the group. Null, with an error, when it cannot be read.',
    }),
    maxLtv: t.expose('maxLtv', {
      type: 'Decimal',
      description:
        'Maximum loan-to-value in the group: the fraction of a deposit\u2019s value that can be borrowed.',
    }),
    liquidationLtv: t.expose('liquidationLtv', {
      type: 'Decimal',
      description:
        'Liquidation threshold in the group: the fraction of a deposit\u2019s value at which debt can be liquidated.',
    }),
    debtReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The only reserve that can be borrowed from in the group. Null when none is set; null with an error when it cannot be read.',
      resolve: ({ account }, _args, { session }) => {
        const debt = presentAddress(account.debtReserve);
        return debt === null ? null : reserveLink(session, debt);
      },
    }),
    collateralReserves: t.field({
      type: [ReserveRef],
      description:
        'The reserves that count as collateral. A reserve that cannot be read is left out and named in `extensions.warnings`.',
      resolve: (group, _args, { session, warnings }, info) => {
        warnings.leftOut(info, unreadableInView(session.view, 'reserve'));
        return markets.collateralOfGroup(session.view, group);
      },
    }),
    allowsNewLoans: t.exposeBoolean('allowsNewLoans', { description: 'Whether the group allows new loans.' }),
  }),
});

const MarketFilterInput = builder.inputType('MarketFilter', {
  description: 'Filter for markets. All conditions must hold.',
  fields: (t) => ({
    addresses: t.field({ type: ['Address'], description: 'Markets with one of these addresses.' }),
    primary: t.boolean({
      description: 'Whether the catalogue of this deployment marks it as a primary market.',
    }),
    curated: t.boolean({ description: 'Whether the catalogue of this deployment marks it as curated.' }),
    nameContains: t.string({ description: 'Markets whose name contains this text, ignoring case.' }),
  }),
});

builder.queryFields((t) => ({
  market: t.field({
    type: MarketRef,
    nullable: true,
    description:
      'Fetches a market by its address. Null, with an error, when there is none or it cannot be read.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the market.' }) },
    resolve: (_root, { address }, { session }) => marketLink(session, address),
  }),
  markets: t.field({
    type: MarketConnection,
    description: 'All markets, largest supply in USD first.',
    args: {
      filter: t.arg({ type: MarketFilterInput, description: 'Filter. Defaults to all markets.' }),
      ...pageArgs(t.arg),
    },
    resolve: (_root, { filter, ...page }, { session, warnings }, info) => {
      warnings.leftOut(info, unreadableInView(session.view, 'market', filter?.addresses));
      const which = filter ?? {};
      const list = (view: typeof session.view) => markets.listMarkets(view, which);
      return paginate(session, { key: ['markets', which], list }, page);
    },
  }),
}));
