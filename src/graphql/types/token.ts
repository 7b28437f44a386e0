import { paginate } from '../../services/paging.ts';
import { byAddress } from '../../services/reserves.ts';
import { tokenPrice } from '../../services/tokens.ts';
import { sortedByValue } from '../../services/vaults.ts';
import { builder } from '../builder.ts';
import { pageArgs } from '../connections.ts';
import { ReserveConnection, TokenRef, tokenLink, VaultConnection } from '../node-refs.ts';
import { PriceRef } from './amounts.ts';

TokenRef.implement({
  description: 'A token, with everything that the platform does with it.',
  fields: (t) => ({
    mint: t.expose('mint', { type: 'Address', nullable: false, description: 'Address of the mint.' }),
    symbol: t.exposeString('symbol', {
      nullable: false,
      description: 'Ticker. From the catalogue, otherwise from the chain, otherwise the shortened mint.',
    }),
    name: t.exposeString('name', { nullable: false, description: 'Full name, from the same sources.' }),
    decimals: t.int({
      nullable: false,
      description: 'Decimal places of the smallest unit.',
      resolve: ({ record }) => record.value.decimals,
    }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'Logo image. Null when there is none.',
    }),
    verified: t.exposeBoolean('verified', {
      nullable: false,
      description: 'Whether this deployment vouches for it.',
    }),
    priority: t.exposeInt('priority', {
      nullable: false,
      description: 'Display priority; lower comes first.',
    }),
    tradingVolume24H: t.exposeFloat('tradingVolume24H', {
      nullable: true,
      description: 'USD traded in 24 hours. Null when market data is unavailable.',
    }),
    marketCapUsd: t.exposeFloat('marketCapUsd', {
      nullable: true,
      description: 'Market capitalisation in USD. Null when market data is unavailable.',
    }),
    price: t.field({
      type: PriceRef,
      nullable: true,
      description:
        'The price that a reserve of this token stored most recently. Null when no reserve has one.',
      resolve: ({ mint }, _args, { session }) => tokenPrice(session.view, mint),
    }),
    tokenProgram: t.field({
      type: 'Address',
      nullable: true,
      description: 'The token program that owns the mint: SPL Token or Token-2022.',
      resolve: ({ record }) => record.value.tokenProgram,
    }),
    reserves: t.field({
      type: ReserveConnection,
      nullable: false,
      args: pageArgs(t.arg),
      description: 'Reserves that lend this token, in all markets.',
      resolve: ({ mint }, args, { session }) => {
        const list = (view: typeof session.view) => [...view.reservesOfMint(mint)].sort(byAddress);
        return paginate(session, { key: ['token.reserves', mint], list }, args);
      },
    }),
    vaults: t.field({
      type: VaultConnection,
      nullable: false,
      args: pageArgs(t.arg),
      description: 'Vaults that take this token, most valuable first.',
      resolve: ({ mint }, args, { session }) => {
        const list = (view: typeof session.view) => sortedByValue(view, view.vaultsOfMint(mint));
        return paginate(session, { key: ['token.vaults', mint], list }, args);
      },
    }),
  }),
});

builder.queryField('token', (t) =>
  t.field({
    type: TokenRef,
    nullable: true,
    description: 'A token by its mint. Null, with an error, when there is no such mint.',
    args: { mint: t.arg({ type: 'Address', required: true, description: 'Address of the mint.' }) },
    resolve: (_root, { mint }, { session }) => tokenLink(session, mint),
  }),
);
