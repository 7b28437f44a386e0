import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';

/** Settings of the lending program. Its admin approves transfers of obligations. */
export const lendingGlobalConfig = accountLayout('GlobalConfig', '95089ccaa0fcb0d9', {
  globalAdmin: publicKey,
  pendingAdmin: publicKey,
  feeCollector: publicKey,
  padding: padding(bytes(928)),
});
