import type { WalletResult } from './wallet.ts';

/** Compiled by `npm run check`, which fails when results are no longer typed. */
export function typed(result: WalletResult): string {
  const position = result.wallet.vaultPositions?.nodes[0];
  // @ts-expect-error `value` and `usd` may be null, and the types force a check
  const usd: string = position?.value.usd;
  // @ts-expect-error the query does not select this field
  const staked = position?.stakedShares;
  const shares: string | undefined = position?.totalShares;
  // Items of lists, and tokens of amounts, need no null check.
  const symbols: string[] | undefined = result.wallet.vaultPositions?.nodes.map(
    ({ value }) => value?.token.symbol ?? '',
  );
  return [usd, staked, shares, symbols].join();
}
