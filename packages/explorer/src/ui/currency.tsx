import { Decimal } from '@sluice/client';
import type { ReactNode } from 'react';
import { tokens, usd } from '../format/numbers.ts';
import { preference, usePreference } from './preference.ts';
import { Absent, type AmountProps, ShownValue } from './value.tsx';

/** In which unit values are shown: dollars, the token of the thing, or SOL. */
export type Currency = 'USD' | 'TOKEN' | 'SOL';

export const CURRENCIES: readonly (readonly [Currency, string])[] = [
  ['USD', 'USD'],
  ['TOKEN', 'Token'],
  ['SOL', 'SOL'],
];

const currency = preference<Currency>('currency', ['USD', 'TOKEN', 'SOL'], 'USD');

export const useCurrency = (): Currency => usePreference(currency);

export const chooseCurrency = currency.choose;

/** An amount of the gateway with its value. */
export interface Money {
  readonly amount: string;
  readonly usd: string | null;
  readonly sol?: string | null | undefined;
  readonly token: { readonly symbol: string };
}

export interface MoneyValueProps extends Omit<AmountProps, 'value'> {
  readonly money: Money | null | undefined;
  readonly largest?: Decimal | undefined;
}

/** A value in the unit that the reader chose. Where that unit is not known, the token itself. */
export function MoneyValue({ money, largest, ...props }: MoneyValueProps): ReactNode {
  const chosen = useCurrency();
  if (money === null || money === undefined)
    return <Absent why={props.absent ?? 'Unknown'} none={props.none ?? false} />;
  const change = props.signed === true;
  if (chosen === 'SOL' && money.sol !== null && money.sol !== undefined)
    return (
      <ShownValue
        {...props}
        value={money.sol}
        unit="SOL"
        show={(value) => tokens(value, 'SOL', { change })}
      />
    );
  if (chosen === 'TOKEN' || money.usd === null) {
    const { symbol } = money.token;
    return (
      <ShownValue
        {...props}
        value={money.amount}
        unit={symbol}
        show={(value) => tokens(value, symbol, { change })}
      />
    );
  }
  return (
    <ShownValue
      {...props}
      value={money.usd}
      unit="USD"
      show={(value) => usd(value, { change, ...(largest && { largest }) })}
    />
  );
}

/** The largest of a column, whose precision all of it have. */
export const largestOf = (values: readonly (string | null | undefined)[]): Decimal | undefined => {
  const known = values.flatMap((value) =>
    value === null || value === undefined ? [] : [Decimal.of(value).abs()],
  );
  const [first, ...others] = known;
  return first === undefined ? undefined : Decimal.max(first, ...others);
};
