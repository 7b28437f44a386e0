import { type Address, isAddress } from '@solana/kit';
import { scannedObligations } from '../../../services/obligations/wallet-obligations.ts';
import { paginateLive } from '../../../services/paging/paging.ts';
import * as wallets from '../../../services/wallets/wallets.ts';
import { builder } from '../../builder.ts';
import { pageArgs } from '../../connections.ts';
import {
  ObligationConnection,
  VaultPositionConnection,
  VaultPositionRef,
  VaultRef,
  WalletRef,
} from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';

export const ValueRef = builder.objectRef<wallets.Value>('Value').implement({
  description: 'One value in USD and in SOL.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Decimal',
      nullable: true,
      description: 'Value in USD. Null when a part of it has no known price.',
    }),
    sol: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'Value in SOL. Null when a price is unknown.',
    }),
  }),
});

builder.node(VaultPositionRef, {
  description: 'Position of a wallet in a vault: its current shares, its history and its earnings.',
  id: { resolve: ({ wallet, vault }) => `${wallet}:${vault.address}` },
  loadOne: async (id, { session }) => {
    const [wallet = '', vault = ''] = id.split(':');
    if (!isAddress(wallet) || !isAddress(vault)) return null;
    return await wallets.vaultPosition(session, wallet, await session.load('vault', vault));
  },
  fields: (t) => ({
    vault: t.expose('vault', {
      type: VaultRef,
      nullable: true,
      description: 'The vault. Null, with an error, when it cannot be read.',
    }),
    wallet: t.field({
      type: WalletRef,
      description: 'The wallet.',
      resolve: ({ wallet }) => ({ address: wallet }),
    }),
    stakedShares: t.expose('stakedShares', {
      type: 'Decimal',
      description: 'Shares staked in the vault\u2019s farm, in whole shares.',
    }),
    unstakedShares: t.expose('unstakedShares', {
      type: 'Decimal',
      description: 'Shares held by the wallet, in whole shares.',
    }),
    totalShares: t.expose('totalShares', {
      type: 'Decimal',
      description: '`stakedShares` + `unstakedShares`, exactly.',
    }),
    value: t.expose('value', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Value of the shares in the vault\u2019s token. Null when a reserve of the vault cannot be read.',
    }),
  }),
});

builder.node(WalletRef, {
  description: 'A wallet and its positions on the platform, read from the chain.',
  id: { resolve: ({ address }) => address },
  loadOne: (id) => (isAddress(id) ? { address: id } : null),
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the wallet.' }),
    netValue: t.field({
      type: ValueRef,
      nullable: true,
      description:
        'Value of vault positions, obligations net of debt, and `withdrawTickets`. Token balances are not included. Null, with an error, when it cannot be read.',
      resolve: ({ address }, _args, { session }) => wallets.netValue(session, address),
    }),
    vaultPositions: t.field({
      type: VaultPositionConnection,
      nullable: true,
      description:
        'Vault positions with staked or unstaked shares. Null, with an error, when they cannot be read.',
      args: pageArgs(t.arg),
      resolve: ({ address }, args, { session }) =>
        paginateLive(
          {
            key: ['wallet.vaultPositions', address],
            read: () => wallets.vaultPositions(session, address),
            idOf: ({ vault }) => vault.address,
          },
          args,
        ),
    }),
    vaultPosition: t.field({
      type: VaultPositionRef,
      nullable: true,
      description:
        'Position in one vault, with its earnings. A wallet that has left the vault or never used it has a position with no shares. Null, with an error, when it cannot be read.',
      args: { vault: t.arg({ type: 'Address', required: true, description: 'Address of the vault.' }) },
      resolve: async ({ address }, { vault }, { session }) =>
        await wallets.vaultPosition(session, address, await session.load('vault', vault)),
    }),
    obligations: t.field({
      type: ObligationConnection,
      nullable: true,
      description: 'Obligations of the wallet. Null, with an error, when they cannot be read.',
      args: {
        market: t.arg({ type: 'Address', description: 'Only obligations in this market.' }),
        ...pageArgs(t.arg),
      },
      resolve: ({ address }, { market, ...page }, { session, warnings }, info) =>
        paginateLive(
          {
            key: ['wallet.obligations', address, market],
            read: async () => {
              const found = await scannedObligations(session, address, market ?? null);
              warnings.leftOut(info, found.unreadable);
              return found.records;
            },
            idOf: (record) => record.address,
          },
          page,
        ),
    }),
    balances: t.field({
      type: [TokenAmountRef],
      nullable: true,
      description:
        'Token balances. SOL counts as wrapped SOL. Shares of a vault are valued at their share price, and `token.sharesOf` is the vault. A token whose mint cannot be read is left out and named in `extensions.warnings`. Null, with an error, when the balances cannot be read.',
      args: {
        mints: t.arg({
          type: ['Address'],
          description:
            'Tokens to list, with 0 where the wallet holds none. Defaults to all tokens that the wallet holds.',
        }),
      },
      resolve: async ({ address }, { mints }, { session, warnings }, info) => {
        const wanted = (mints as Address[] | null | undefined) ?? null;
        const { held, unreadable } = await wallets.balances(session, address, wanted);
        warnings.leftOut(info, unreadable);
        return held;
      },
    }),
    claimableRewards: t.field({
      type: [TokenAmountRef],
      nullable: true,
      description:
        'Farm rewards that the wallet can claim now for itself and its obligations, by token. `stakes` lists them by farm. Null, with an error, when they cannot be read.',
      resolve: ({ address }, _args, { session }) => wallets.claimableRewards(session, address),
    }),
  }),
});

builder.queryField('wallet', (t) =>
  t.field({
    type: WalletRef,
    description:
      'Returns a wallet by its address. Every address is accepted; an unused one has no positions.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the wallet.' }) },
    resolve: (_root, { address }) => ({ address }),
  }),
);
