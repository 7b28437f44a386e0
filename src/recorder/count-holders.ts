import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import type { View } from '../chain/view/view.ts';
import { sharesToCount } from '../services/platform/shares-to-count.ts';

/** Concurrent scans; each is expensive for an RPC node. */
const CONCURRENT_SCANS = 4;

/**
 * The number of holders of each vault's shares. A vault whose scan failed is omitted and its failure
 * reported.
 */
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
      const shares = sharesToCount(view, vault);
      if (shares === null) continue;
      try {
        counts.set(vault.address, await chain.countHolders(shares, signal, view));
      } catch (error) {
        signal.throwIfAborted();
        onFailure(error);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_SCANS }, work));
  return counts;
}
