import { type Address, isAddress } from '@solana/kit';
import { paginateLive } from '../../services/paging.ts';
import * as wallets from '../../services/wallets.ts';
import { builder } from '../builder.ts';
import { pageArgs } from '../connections.ts';
import {
  ObligationConnection,
  VaultPositionConnection,
  VaultPositionRef,
  VaultRef,
  WalletRef,
} from '../node-refs.ts';
import { TokenAmountRef } from './amounts.ts';

export const ValueRef = builder.objectRef<wallets.Value>('Value').implement({
  description: 'A value in two denominations.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Decimal',
      nullable: true,
      description: 'USD. Null when a part of it has no known price.',
    }),
    sol: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'SOL. Null when a price is unknown.',
    }),
  }),
});

builder.node(VaultPositionRef, {
  description: 'What a wallet has in a vault, as it is now, and what it has had and earned there.',
  id: { resolve: ({ wallet, vault }) => `${wallet}:${vault.address}` },
  loadOne: async (id, { session }) => {
    const [wallet = '', vault = ''] = id.split(':');
    if (!isAddress(wallet) || !isAddress(vault)) return null;
    return await wallets.vaultPosition(session, wallet, await session.load('vault', vault));
  },
  fields: (t) => ({
    vault: t.field({
      type: VaultRef,
      nullable: true,
      description: 'The vault.',
      resolve: ({ vault }) => vault,
    }),
    wallet: t.field({
      type: WalletRef,
      nullable: false,
      description: 'The wallet.',
      resolve: ({ wallet }) => ({ address: wallet }),
    }),
    stakedShares: t.expose('stakedShares', {
      type: 'Decimal',
      nullable: false,
      description: 'Whole shares that are staked in the vault\u2019s farm.',
    }),
    unstakedShares: t.expose('unstakedShares', {
      type: 'Decimal',
      nullable: false,
      description: 'Whole shares in the wallet itself.',
    }),
    totalShares: t.expose('totalShares', {
      type: 'Decimal',
      nullable: false,
      description: 'Both together, exactly.',
    }),
    value: t.expose('value', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'What the shares are worth in the vault\u2019s token. Null when a reserve of the vault cannot be read.',
    }),
  }),
});

builder.node(WalletRef, {
  description: 'A wallet and what it has on the platform, read as it is now.',
  id: { resolve: ({ address }) => address },
  loadOne: (id) => (isAddress(id) ? { address: id } : null),
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', nullable: false, description: 'Address of the wallet.' }),
    netValue: t.field({
      type: ValueRef,
      nullable: true,
      description:
        'Vault positions and obligations, net of debt; plain balances are not part of it. Null, with an error, when it cannot be read.',
      resolve: ({ address }, _args, { session }) => wallets.netValue(session, address),
    }),
    vaultPositions: t.field({
      type: VaultPositionConnection,
      nullable: true,
      description: 'What it has in vaults, staked and unstaked. Null, with an error, when it cannot be read.',
      args: pageArgs(t.arg),
      resolve: async ({ address }, args, { session }) => {
        const positions = await wallets.vaultPositions(session, address);
        return paginateLive(
          ['wallet.vaultPositions', address],
          positions,
          ({ vault }) => vault.address,
          args,
        );
      },
    }),
    vaultPosition: t.field({
      type: VaultPositionRef,
      nullable: true,
      description:
        'What it has in one vault, and what it has earned there: with no shares when it has left the vault, or never was there. Null, with an error, when it cannot be read.',
      args: { vault: t.arg({ type: 'Address', required: true, description: 'Address of the vault.' }) },
      resolve: async ({ address }, { vault }, { session }) =>
        await wallets.vaultPosition(session, address, await session.load('vault', vault)),
    }),
    obligations: t.field({
      type: ObligationConnection,
      nullable: true,
      description: 'Its obligations. Null, with an error, when they cannot be read.',
      args: {
        market: t.arg({ type: 'Address', description: 'Only in this market.' }),
        ...pageArgs(t.arg),
      },
      resolve: async ({ address }, { market, ...page }, { session }) => {
        const found = await wallets.obligationsOf(session, address, market ?? null);
        return paginateLive(['wallet.obligations', address, market], found, (record) => record.address, page);
      },
    }),
    balances: t.field({
      type: [TokenAmountRef],
      nullable: true,
      description:
        'Its token balances; SOL counts as wrapped SOL. Null, with an error, when they cannot be read.',
      args: {
        mints: t.arg({
          type: ['Address'],
          description: 'These tokens, zero where it has none. All that it has when left out.',
        }),
      },
      resolve: ({ address }, { mints }, { session }) =>
        wallets.balances(session, address, (mints as Address[] | null | undefined) ?? null),
    }),
    claimableRewards: t.field({
      type: [TokenAmountRef],
      nullable: true,
      description:
        'Farm rewards that it could claim now, by token. Null, with an error, when they cannot be read.',
      resolve: ({ address }, _args, { session }) => wallets.claimableRewards(session, address),
    }),
  }),
});

builder.queryField('wallet', (t) =>
  t.field({
    type: WalletRef,
    nullable: false,
    description: 'A wallet by its address. Any address is a wallet; one that nobody uses has nothing.',
    args: { address: t.arg({ type: 'Address', required: true, description: 'Address of the wallet.' }) },
    resolve: (_root, { address }) => ({ address }),
  }),
);
