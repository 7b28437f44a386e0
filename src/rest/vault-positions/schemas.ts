import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { decimalOut } from '../values/decimal.ts';

export const UserParams = z.object({ pubkey: address('Address of the wallet.') });

export const UserVaultParams = z.object({
  userPubkey: address('Address of the wallet.'),
  vaultPubkey: address('Address of the vault.'),
});

export const VaultPosition = z
  .strictObject({
    vaultAddress: addressOut('Address of the vault.'),
    stakedShares: decimalOut('Shares staked in the vault\u2019s farm, in whole shares.'),
    unstakedShares: decimalOut('Shares held by the wallet, in whole shares.'),
    totalShares: decimalOut('`stakedShares` + `unstakedShares`, exactly.'),
  })
  .openapi('VaultPosition');
