import type { WalletResult } from './wallet.ts';

/** Compiled by `npm run check`: these lines fail when results are no longer typed. */
export function typed(result: WalletResult): string {
  const position = result.wallet.vaultPositions?.nodes[0];
  // @ts-expect-error what has no price is null, and the types make one look
  const usd: string = position?.value.usd;
  // @ts-expect-error a field that was not asked for is not there
  const staked = position?.stakedShares;
  const shares: string | undefined = position?.totalShares;
  return [usd, staked, shares].join();
}
