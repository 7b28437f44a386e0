import { presentAddress } from '@sluice/protocol/program-ids';
import type { SharesToCount } from '../../chain/accounts/scans.ts';
import type { View } from '../../chain/view/view.ts';
import type { VaultRecord } from '../request/records.ts';

/** Where the shares of a vault are; null when their mint cannot be read. */
export function sharesToCount(view: View, { value }: VaultRecord): SharesToCount | null {
  const farm = presentAddress(value.vaultFarm);
  const mint = view.get('mint', value.sharesMint);
  if (mint === undefined) return null;
  const pool = farm === null ? undefined : view.get('farm', farm)?.value.farmVault;
  return {
    mint: value.sharesMint,
    tokenProgram: mint.owner,
    farm,
    pooled: new Set(pool ? [pool] : []),
  };
}
