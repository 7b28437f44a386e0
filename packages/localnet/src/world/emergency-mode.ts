import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import { viewOf } from '@sluice/protocol/layout/account';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { StoredAccount } from '../chain.ts';

/** A reserve or market with its emergency mode switched; null for any other account. */
export function withEmergencyMode(account: StoredAccount, isOn: boolean): StoredAccount | null {
  if (account.owner !== MAINNET_PROGRAMS.klend) return null;
  const isOf = ({ discriminator }: { readonly discriminator: Uint8Array }) =>
    discriminator.every((byte, i) => account.data[i] === byte);
  const emergencyMode = isOn ? 1 : 0;
  const data = new Uint8Array(account.data);
  if (isOf(reserve)) {
    reserve.body.write(viewOf(data), reserve.discriminator.length, { config: { emergencyMode } });
  } else if (isOf(lendingMarket)) {
    lendingMarket.body.write(viewOf(data), lendingMarket.discriminator.length, { emergencyMode });
  } else {
    return null;
  }
  return { ...account, data };
}
