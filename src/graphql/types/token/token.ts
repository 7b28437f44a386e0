import { paginate } from '../../../services/paging/paging.ts';
import { unreadableInView } from '../../../services/request/records.ts';
import { sortReserves } from '../../../services/reserves/list.ts';
import {
  DEFAULT_TOKEN_ORDER,
  listTokens,
  MAX_SEARCH_LENGTH,
  type ProofOfReserves,
  stakeRateSol,
  tokenPrice,
} from '../../../services/tokens/tokens.ts';
import { sortVaults } from '../../../services/vaults/list.ts';
import { builder } from '../../builder.ts';
import { pageArgs } from '../../connections.ts';
import {
  ReserveConnection,
  TokenConnection,
  TokenRef,
  tokenLink,
  VaultConnection,
  VaultRef,
} from '../../node-refs.ts';
import { PriceRef } from '../values/amounts.ts';
import { DirectionRef } from '../values/direction.ts';

const ProofOfReservesRef = builder.objectRef<ProofOfReserves>('ProofOfReserves').implement({
  description: 'Proof that the reserves behind a token exist, from the catalogue of this deployment.',
  fields: (t) => ({
    address: t.expose('address', {
      type: 'Address',
      description: 'Account in which the issuer publishes the proof.',
    }),
    verified: t.exposeBoolean('verified', {
      description: 'Whether the operator of this deployment has verified the proof.',
    }),
  }),
});

TokenRef.implement({
  description: 'A token and the reserves and vaults that use it.',
  fields: (t) => ({
    mint: t.expose('mint', { type: 'Address', description: 'Address of the mint.' }),
    symbol: t.exposeString('symbol', {
      description:
        'Ticker: from the mint, otherwise from the catalogue, otherwise from a vault or reserve, otherwise the mint address shortened to its first and last four characters.',
    }),
    name: t.exposeString('name', { description: 'Full name, from the same sources as the ticker.' }),
    decimals: t.exposeInt('decimals', {
      description: 'Number of decimal places: one whole token is 10^decimals base units.',
    }),
    logoUrl: t.exposeString('logoUrl', {
      nullable: true,
      description: 'URL of the logo. Null when there is none.',
    }),
    verified: t.exposeBoolean('verified', {
      description: 'Whether the catalogue of this deployment marks the token as verified.',
    }),
    priority: t.exposeInt('priority', { description: 'Display priority. Lower values come first.' }),
    tradingVolume24HUsd: t.exposeFloat('tradingVolume24H', {
      nullable: true,
      description: 'Trading volume of the last 24 hours in USD. Null when market data is unavailable.',
    }),
    marketCapUsd: t.exposeFloat('marketCapUsd', {
      nullable: true,
      description: 'Market capitalisation in USD. Null when market data is unavailable.',
    }),
    price: t.field({
      type: PriceRef,
      nullable: true,
      description:
        'The most recent price among the reserves of this token, preferring prices that pass all checks. Null when no reserve has one.',
      resolve: ({ mint }, _args, { session }) => tokenPrice(session.view, mint),
    }),
    proofOfReserves: t.expose('proofOfReserves', {
      type: ProofOfReservesRef,
      nullable: true,
      description:
        'Proof of the reserves behind the token, such as the dollars of a stablecoin. Null when the catalogue of this deployment has none.',
    }),
    sharesOf: t.field({
      type: VaultRef,
      nullable: true,
      description: 'The vault whose shares this token is. Null for any other token.',
      resolve: ({ mint }, _args, { session }) => session.view.vaultOfShares(mint) ?? null,
    }),
    tokenProgram: t.expose('tokenProgram', {
      type: 'Address',
      nullable: true,
      description:
        'The token program that owns the mint: SPL Token or Token-2022. Null when the mint account cannot be read.',
    }),
    stakeRateSol: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'SOL per whole token, according to its stake pool. Null for a token that is not a liquid-staking token.',
      resolve: ({ mint }, _args, { session }) => stakeRateSol(session.view, mint),
    }),
    reserves: t.field({
      type: ReserveConnection,
      args: pageArgs(t.arg),
      description: 'Reserves of this token in all markets, largest supply first.',
      resolve: ({ mint }, args, { session, warnings }, info) => {
        warnings.leftOut(info, unreadableInView(session.view, 'reserve'));
        const list = (view: typeof session.view) => sortReserves(view, view.reservesOfMint(mint));
        return paginate(session, { key: ['token.reserves', mint], list }, args);
      },
    }),
    vaults: t.field({
      type: VaultConnection,
      args: pageArgs(t.arg),
      description: 'Vaults that accept this token, most valuable first.',
      resolve: ({ mint }, args, { session, warnings }, info) => {
        warnings.leftOut(info, unreadableInView(session.view, 'vault'));
        const list = (view: typeof session.view) => sortVaults(view, view.vaultsOfMint(mint));
        return paginate(session, { key: ['token.vaults', mint], list }, args);
      },
    }),
  }),
});

const TokenFilterInput = builder.inputType('TokenFilter', {
  description: 'Filter for tokens. All conditions must hold.',
  fields: (t) => ({
    verified: t.boolean({
      description:
        'True selects tokens marked as verified in the catalogue of this deployment. False has no effect.',
    }),
    mints: t.field({ type: ['Address'], description: 'Tokens with one of these mints.' }),
    symbol: t.string({ description: 'Tokens with this ticker, ignoring case.' }),
    search: t.string({
      description: `Tokens whose ticker or name contains this text, ignoring case and spaces around it. From 1 to ${MAX_SEARCH_LENGTH} characters.`,
    }),
  }),
});

const TokenOrderFieldRef = builder.enumType('TokenOrderField', {
  description: 'Sort key for tokens. Tokens with an unknown value come last, ordered by priority.',
  values: {
    TRADING_VOLUME: { description: 'Trading volume of the last 24 hours in USD.' },
    PRIORITY: { description: 'Display priority.' },
    SYMBOL: { description: 'Ticker.' },
  } as const,
});

const TokenOrderInput = builder.inputType('TokenOrder', {
  description: 'Sort order of tokens.',
  fields: (t) => ({
    field: t.field({ type: TokenOrderFieldRef, required: true, description: 'Sort key.' }),
    direction: t.field({
      type: DirectionRef,
      required: true,
      defaultValue: 'DESC',
      description: 'Sort direction.',
    }),
  }),
});

builder.queryFields((t) => ({
  token: t.field({
    type: TokenRef,
    nullable: true,
    description: 'Fetches a token by its mint. Null, with an error, when there is no such mint.',
    args: { mint: t.arg({ type: 'Address', required: true, description: 'Address of the mint.' }) },
    resolve: (_root, { mint }, { session }) => tokenLink(session, mint),
  }),
  tokens: t.field({
    type: TokenConnection,
    description:
      'Tokens that the platform uses or the catalogue lists. Ordered by trading volume, largest first, unless `orderBy` is given.',
    args: {
      filter: t.arg({ type: TokenFilterInput, description: 'Filter. Defaults to all tokens.' }),
      orderBy: t.arg({
        type: TokenOrderInput,
        description: 'Sort order. Defaults to trading volume, largest first.',
      }),
      ...pageArgs(t.arg),
    },
    resolve: (_root, { filter, orderBy, ...page }, { session, warnings }, info) => {
      warnings.leftOut(info, unreadableInView(session.view, 'mint', filter?.mints));
      const [which, order] = [filter ?? {}, orderBy ?? DEFAULT_TOKEN_ORDER];
      const list = (view: typeof session.view) => listTokens(view, which, order);
      return paginate(session, { key: ['tokens', which, order], list }, page);
    },
  }),
}));
