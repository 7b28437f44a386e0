import type { ReactNode } from 'react';
import { Usd, Value } from '../ui/value.tsx';
import { NO_PRICE } from './words.ts';

export interface TokenAmountProps {
  readonly amount: { readonly amount: string; readonly usd: string | null };
  readonly symbol: string;
}

/** An amount in USD, with the tokens below it. */
export function TokenAmount({ amount, symbol }: TokenAmountProps): ReactNode {
  return (
    <span className="two-lines">
      <Usd value={amount.usd} compact absent={NO_PRICE} />
      <small>
        <Value value={amount.amount} unit={symbol} compact />
      </small>
    </span>
  );
}
