import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u64 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import type { StructOf } from '../layout/struct.ts';

/** Settings of the vault program: a minimum for every vault's withdrawal penalty. */
export const vaultGlobalConfig = accountLayout('GlobalConfig', '95089ccaa0fcb0d9', {
  globalAdmin: publicKey,
  pendingAdmin: publicKey,
  withdrawalPenaltyLamports: u64,
  withdrawalPenaltyBps: u64,
  padding: padding(bytes(944)),
});

export type VaultGlobalConfig = StructOf<typeof vaultGlobalConfig.body.fields>;
