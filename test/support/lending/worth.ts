import type { Reserve } from '@sluice/protocol/klend/reserve';

/** Units of one reserve worth as much as those of another one, at the stored prices. */
export function worth(
  bench: { readonly reserve: (index: number) => Reserve },
  units: bigint,
  from: number,
  to: number,
): bigint {
  const [a, b] = [bench.reserve(from).liquidity, bench.reserve(to).liquidity];
  const n = units * a.marketPriceSf * 10n ** b.mintDecimals;
  return n / (b.marketPriceSf * 10n ** a.mintDecimals);
}
