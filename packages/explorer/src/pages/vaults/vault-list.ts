import { Decimal } from '@sluice/client';
import type { ListedVault } from './vaults-documents.ts';

export interface VaultChoice {
  /** Mint of the deposit token. Null: all. */
  readonly mint: string | null;
  /** Only vaults that pay more than interest. */
  readonly rewarded: boolean;
}

type Matched = Pick<ListedVault, 'token' | 'currentApy'>;

export const isChosen = ({ token, currentApy }: Matched, { mint, rewarded }: VaultChoice): boolean =>
  (mint === null || token.mint === mint) &&
  (!rewarded || (currentApy !== null && currentApy.base !== currentApy.total));

/** The deposit tokens of the vaults by ticker, each once. Two tokens can have the same ticker. */
export function depositTokens(vaults: readonly Pick<ListedVault, 'token'>[]): ListedVault['token'][] {
  const byMint = new Map(vaults.map(({ token }) => [token.mint, token]));
  return [...byMint.values()].sort((left, right) => left.symbol.localeCompare(right.symbol));
}

export interface VaultsSummary {
  /** Sum of the values that are known. */
  readonly totalUsd: string;
  /** Vaults without a known value. */
  readonly unvalued: number;
  /** Mean of the current APY weighted by value. Null when no value is known. */
  readonly meanApy: string | null;
}

/** Digits of the mean APY after the point: more than anyone needs. */
const MEAN_PLACES = 18;

export function summaryOf(vaults: readonly Pick<ListedVault, 'totalValue' | 'currentApy'>[]): VaultsSummary {
  const valued = vaults.flatMap(({ totalValue, currentApy }) => {
    const usd = totalValue?.usd ?? null;
    return usd === null ? [] : [{ value: Decimal.of(usd), apy: currentApy?.total ?? null }];
  });
  const yielding = valued.flatMap(({ value, apy }) =>
    apy === null ? [] : [{ value, apy: Decimal.of(apy) }],
  );
  const weight = Decimal.sum(yielding.map(({ value }) => value));
  const weighted = Decimal.sum(yielding.map(({ value, apy }) => value.times(apy)));
  return {
    totalUsd: Decimal.sum(valued.map(({ value }) => value)).toString(),
    unvalued: vaults.length - valued.length,
    meanApy: weight.isZero ? null : weighted.dividedBy(weight, MEAN_PLACES).toString(),
  };
}
