import type { Rational } from '@sluice/protocol/numeric/rational';
import type { View } from '../../chain/view/view.ts';
import type { PrincipalTokenEntry } from '../../config/catalogue/format.ts';
import { yieldToMaturity } from '../../domain/principal-token.ts';
import { Valuation } from './valuation.ts';

/** A principal token of the catalogue with its yield. */
export interface PrincipalToken extends Omit<PrincipalTokenEntry, 'price'> {
  /** Whole underlying tokens for one token: from the prices of both on chain, else from the catalogue. Null when unknown. */
  readonly price: Rational | null;
  /** Yield per year as a fraction until maturity. Null after it, and without a price. */
  readonly apy: Rational | null;
}

/** The principal tokens of the catalogue, ordered by mint. */
export function principalTokens(view: View): PrincipalToken[] {
  const { timestamp } = view.moment;
  return Valuation.of(view)
    .catalogue.principalTokens.toSorted((a, b) => (a.mint < b.mint ? -1 : 1))
    .map((entry) => {
      const price = priceOf(view, entry);
      const maturity = BigInt(Math.floor(entry.maturity.getTime() / 1_000));
      const { redemption } = entry;
      return { ...entry, price, apy: price && yieldToMaturity({ redemption, price, maturity }, timestamp) };
    });
}

function priceOf(view: View, { mint, underlyingMint, price }: PrincipalTokenEntry): Rational | null {
  const valuation = Valuation.of(view);
  const [own, underlying] = [mint, underlyingMint].map((each) => valuation.tokenPrice(each)?.usd);
  return own && underlying && !own.isZero && !underlying.isZero ? own.div(underlying) : price;
}
