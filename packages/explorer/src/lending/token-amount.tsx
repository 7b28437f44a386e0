import type { ReactNode } from 'react';
import { Tokens, Usd } from '../ui/value.tsx';
import { NO_PRICE } from './words.ts';

export interface TokenAmountProps {
  readonly amount: { readonly amount: string; readonly usd: string | null };
  readonly symbol: string;
}

/** An amount in USD, with the tokens below it. */
export function TokenAmount({ amount, symbol }: TokenAmountProps): ReactNode {
  return (
    <span className="two-lines">
      <Usd value={amount.usd} absent={NO_PRICE} />
      <small>
        <Tokens value={amount.amount} symbol={symbol} />
      </small>
    </span>
  );
}
