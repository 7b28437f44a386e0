import type { z } from '@hono/zod-openapi';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { Session } from '../../services/request/session.ts';
import type { TokenAmount } from '../../services/tokens/amounts.ts';
import { tokenNamed } from '../../services/tokens/tokens.ts';
import type { BookAmount } from './activity-schemas.ts';

/** Tickers by mint. */
export type Symbols = ReadonlyMap<Address, string>;

/** The tickers of the tokens of amounts; one that cannot be read is the beginning of its mint. */
export async function symbolsOf(
  session: Session,
  amounts: Iterable<TokenAmount | null | undefined>,
): Promise<Symbols> {
  const decimals = new Map<Address, number>();
  for (const amount of amounts) if (amount) decimals.set(amount.mint, amount.decimals);
  const named = await Promise.all(
    [...decimals].map(
      async ([mint, each]) => [mint, (await tokenNamed(session, mint, each)).symbol] as const,
    ),
  );
  return new Map(named);
}

export const decimalOrNull = (value: Rational | null): string | null => value && toDecimalString(value);

export function bookAmount(amount: TokenAmount, symbols: Symbols): z.input<typeof BookAmount> {
  return {
    mint: amount.mint,
    symbol: symbols.get(amount.mint) ?? amount.mint,
    amount: toDecimalString(amount.amount),
    usd: decimalOrNull(amount.usd),
    sol: decimalOrNull(amount.sol),
  };
}
