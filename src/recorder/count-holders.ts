import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import type { View } from '../chain/view.ts';
import { presentAddress } from '../programs/program-ids.ts';

/** Scans at once; each is heavy for an RPC. */
const AT_ONCE = 4;

/** Holders of each vault's shares; a vault whose scan failed is not in the answer, and its failure is told. */
export async function countAllHolders(
  chain: Pick<Chain, 'countHolders'>,
  view: View,
  signal: AbortSignal,
  onFailure: (error: unknown) => void,
): Promise<Map<Address, number>> {
  const counts = new Map<Address, number>();
  const waiting = [...view.all('vault').values()];
  const work = async () => {
    for (let vault = waiting.pop(); vault !== undefined; vault = waiting.pop()) {
      const { sharesMint, vaultFarm } = vault.value;
      const farm = presentAddress(vaultFarm);
      const mint = view.get('mint', sharesMint);
      if (mint === undefined) continue;
      const pool = farm === null ? undefined : view.get('farm', farm)?.value.farmVault;
      try {
        const shares = {
          mint: sharesMint,
          tokenProgram: mint.owner,
          farm,
          pooled: new Set(pool ? [pool] : []),
        };
        counts.set(vault.address, await chain.countHolders(shares, signal));
      } catch (error) {
        signal.throwIfAborted();
        onFailure(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return counts;
}
