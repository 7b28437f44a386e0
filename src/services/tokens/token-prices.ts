import { type Address, isAddress } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { PriceUsd } from '../../domain/price.ts';
import { listTokens, type Token, tokenPrice } from './tokens.ts';

/** A token with its price. */
export interface PricedToken {
  readonly token: Token;
  readonly price: PriceUsd;
}

/** Tokens with a price, in the order of `listTokens`. */
export function pricedTokens(view: View, tokens: readonly Token[] = listTokens(view)): PricedToken[] {
  return tokens.flatMap((token) => {
    const price = tokenPrice(view, token.mint);
    return price === null ? [] : [{ token, price }];
  });
}

/** The tokens that a text names by their mint, or by their ticker, ignoring case. Several may share a ticker. */
export function tokensNamed(view: View, text: string): Token[] {
  return listTokens(view, isAddress(text) ? { mints: [text] } : { symbol: text });
}

const SHOWN_MINTS = 5;

/** The mint of a token that is named by its mint, known or not, or by its ticker; or why the ticker does not name one token. */
export function mintNamed(
  view: View,
  text: string,
): { readonly mint: Address } | { readonly problem: string } {
  if (isAddress(text)) return { mint: text };
  const named = tokensNamed(view, text);
  const verified = named.filter((token) => token.verified);
  const [token, ...others] = verified.length > 0 ? verified : named;
  if (token === undefined) {
    return { problem: 'no token of this deployment has this ticker: pass the mint of the token' };
  }
  if (others.length === 0) return { mint: token.mint };
  const mints = [token, ...others].slice(0, SHOWN_MINTS).map(({ mint }) => mint);
  return { problem: `several tokens have this ticker: pass the mint of one, such as ${mints.join(', ')}` };
}
