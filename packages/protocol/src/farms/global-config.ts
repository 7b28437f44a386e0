import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u64 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import type { StructOf } from '../layout/struct.ts';

export const globalConfig = accountLayout('GlobalConfig', '95089ccaa0fcb0d9', {
  globalAdmin: publicKey,
  /** The program's share of every harvested reward. */
  treasuryFeeBps: u64,
  treasuryVaultsAuthority: publicKey,
  treasuryVaultsAuthorityBump: u64,
  pendingGlobalAdmin: publicKey,
  padding: padding(bytes(126 * 16)),
});

export type GlobalConfig = StructOf<typeof globalConfig.body.fields>;
