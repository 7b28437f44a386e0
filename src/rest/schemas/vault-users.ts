import { z } from '@hono/zod-openapi';
import { address, addressOut } from './address.ts';
import { decimalOut } from './decimal.ts';

export const UserParams = z.object({ pubkey: address('Wallet of the user.') });

export const UserVaultParams = z.object({
  userPubkey: address('Wallet of the user.'),
  vaultPubkey: address('Vault.'),
});

export const VaultPosition = z
  .strictObject({
    vaultAddress: addressOut('The vault.'),
    stakedShares: decimalOut('Whole shares that are staked in the vault\u2019s farm.'),
    unstakedShares: decimalOut('Whole shares in the wallet itself.'),
    totalShares: decimalOut('Both together, exactly.'),
  })
  .openapi('VaultPosition');
