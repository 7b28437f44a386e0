import { z } from '@hono/zod-openapi';
import { SluiceError } from '../../errors/sluice-error.ts';
import {
  type VaultPosition as Position,
  vaultPosition,
  vaultPositions,
} from '../../services/wallets/wallets.ts';
import { LOOKUP_ERRORS, READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { decimal } from '../values/decimal.ts';
import { UserParams, UserVaultParams, VaultPosition } from './schemas.ts';

function positionOf({ vault, stakedShares, unstakedShares, totalShares }: Position) {
  return {
    vaultAddress: vault.address,
    stakedShares: decimal(stakedShares),
    unstakedShares: decimal(unstakedShares),
    totalShares: decimal(totalShares),
  };
}

const common = { method: 'get', tag: 'Vault users', holds: 'positions' } as const;

export const VAULT_USER_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'listUserVaultPositions',
    path: '/kvaults/users/{pubkey}/positions',
    summary: 'Positions of a user in all vaults',
    description: 'Staked and unstaked shares, read from the chain. Empty for a wallet without shares.',
    graph:
      'query { wallet(address) { vaultPositions { nodes { vault { address } stakedShares unstakedShares totalShares } } } }',
    family: READ_ERRORS,
    params: UserParams,
    response: z.array(VaultPosition),
    example: ({ wallet }) => ({ params: { pubkey: wallet } }),
    answer: async ({ session }, { params }) => (await vaultPositions(session, params.pubkey)).map(positionOf),
  }),
  operation({
    ...common,
    id: 'getUserVaultPosition',
    path: '/kvaults/users/{userPubkey}/positions/{vaultPubkey}',
    summary: 'Position of a user in one vault',
    description: 'Staked and unstaked shares, read from the chain.',
    graph:
      'query { wallet(address) { vaultPosition(vault) { vault { address } stakedShares unstakedShares totalShares } } }',
    family: LOOKUP_ERRORS,
    params: UserVaultParams,
    response: VaultPosition,
    example: ({ wallet, vault }) => ({ params: { userPubkey: wallet, vaultPubkey: vault } }),
    async answer({ session }, { params: { userPubkey, vaultPubkey } }) {
      const vault = await session.load('vault', vaultPubkey);
      const position = await vaultPosition(session, userPubkey, vault);
      if (!position.totalShares.isZero) return positionOf(position);
      const account = `position of wallet ${userPubkey} in the vault`;
      throw new SluiceError('ACCOUNT_NOT_FOUND', { account, address: vaultPubkey });
    },
  }),
];
