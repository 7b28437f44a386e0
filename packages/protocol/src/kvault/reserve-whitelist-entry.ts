import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u8 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';

/** A reserve that vaults with a whitelist may use. Flags are 0 or 1. */
export const reserveWhitelistEntryAccount = accountLayout('ReserveWhitelistEntry', '87829cd23a3a5baa', {
  tokenMint: publicKey,
  reserve: publicKey,
  whitelistAddAllocation: u8,
  whitelistInvest: u8,
  padding: padding(bytes(62)),
});
