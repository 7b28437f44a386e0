import { paginate } from '../../services/paging.ts';
import { sortReserves } from '../../services/reserve-lists.ts';
import { DEFAULT_TOKEN_ORDER, listTokens, stakeRateSol, tokenPrice } from '../../services/tokens.ts';
import { sortVaults } from '../../services/vault-lists.ts';
import { builder } from '../builder.ts';
import { pageArgs } from '../connections.ts';
import { ReserveConnection, TokenConnection, TokenRef, tokenLink, VaultConnection } from '../node-refs.ts';
import { PriceRef, priceFrom } from './amounts.ts';
import { DirectionRef } from './direction.ts';

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
      resolve: ({ mint }, _args, { session }) => priceFrom('RESERVE', tokenPrice(session.view, mint)),
    }),
    tokenProgram: t.field({
      type: 'Address',
      nullable: true,
      description: 'The token program that owns the mint: SPL Token or Token-2022.',
      resolve: ({ record }) => record.value.tokenProgram,
    }),
    stakeRateSol: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'SOL that one token stands for by its stake pool. Null for a token that is no liquid-staking token.',
      resolve: ({ mint }, _args, { session }) => stakeRateSol(session.view, mint),
    }),
    reserves: t.field({
      type: ReserveConnection,
      nullable: false,
      args: pageArgs(t.arg),
      description: 'Reserves that lend this token, in all markets, largest supply first.',
      resolve: ({ mint }, args, { session }) => {
        const list = (view: typeof session.view) => sortReserves(view, view.reservesOfMint(mint));
        return paginate(session, { key: ['token.reserves', mint], list }, args);
      },
    }),
    vaults: t.field({
      type: VaultConnection,
      nullable: false,
      args: pageArgs(t.arg),
      description: 'Vaults that take this token, most valuable first.',
      resolve: ({ mint }, args, { session }) => {
        const list = (view: typeof session.view) => sortVaults(view, view.vaultsOfMint(mint));
        return paginate(session, { key: ['token.vaults', mint], list }, args);
      },
    }),
  }),
});

const TokenFilterInput = builder.inputType('TokenFilter', {
  description: 'Which tokens; all conditions must hold.',
  fields: (t) => ({
    verified: t.boolean({
      description: 'True for tokens that this deployment vouches for; false is no condition.',
    }),
    mints: t.field({ type: ['Address'], description: 'One of these mints.' }),
    symbol: t.string({ description: 'This ticker, without regard to case.' }),
  }),
});

const TokenOrderFieldRef = builder.enumType('TokenOrderField', {
  description: 'What tokens are ordered by. Unknown figures come last, by priority.',
  values: {
    TRADING_VOLUME: { description: 'USD traded in 24 hours.' },
    PRIORITY: { description: 'Display priority.' },
    SYMBOL: { description: 'Ticker.' },
  } as const,
});

const TokenOrderInput = builder.inputType('TokenOrder', {
  description: 'How tokens are ordered.',
  fields: (t) => ({
    field: t.field({ type: TokenOrderFieldRef, required: true, description: 'What to order by.' }),
    direction: t.field({
      type: DirectionRef,
      required: true,
      defaultValue: 'DESC',
      description: 'Which way.',
    }),
  }),
});

builder.queryFields((t) => ({
  token: t.field({
    type: TokenRef,
    nullable: true,
    description: 'A token by its mint. Null, with an error, when there is no such mint.',
    args: { mint: t.arg({ type: 'Address', required: true, description: 'Address of the mint.' }) },
    resolve: (_root, { mint }, { session }) => tokenLink(session, mint),
  }),
  tokens: t.field({
    type: TokenConnection,
    nullable: false,
    description:
      'Tokens that the platform uses or the catalogue names, most traded first unless ordered otherwise.',
    args: {
      filter: t.arg({ type: TokenFilterInput, description: 'Which tokens. All when left out.' }),
      orderBy: t.arg({ type: TokenOrderInput, description: 'In which order.' }),
      ...pageArgs(t.arg),
    },
    resolve: (_root, { filter, orderBy, ...page }, { session }) => {
      const [which, order] = [filter ?? {}, orderBy ?? DEFAULT_TOKEN_ORDER];
      const list = (view: typeof session.view) => listTokens(view, which, order);
      return paginate(session, { key: ['tokens', which, order], list }, page);
    },
  }),
}));
