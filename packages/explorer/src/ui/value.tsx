import { Decimal } from '@sluice/client';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { count, NO_BREAK, part, price, rate, type Shown, tokens, usd, usdShort } from '../format/numbers.ts';

export interface ShownValueProps {
  /** Exact value from the gateway. Null: it could not be read, or there is none. */
  readonly value: string | null | undefined;
  /** How it is written: a function of format/numbers.ts. */
  readonly show: (value: Decimal) => Shown;
  /** Why the value can be null, shown on hover and read out. */
  readonly absent?: string;
  /** There is none, rather than that it is unknown. */
  readonly none?: boolean;
  /** Colours gains and losses. */
  readonly signed?: boolean;
  /** Computed by the page: such a number is not in the answer of the panel's query. */
  readonly derived?: boolean;
  /** Unit of the exact value, on hover. */
  readonly unit?: string;
}

/**
 * A number of the gateway. The exact value is one hover away; a screen reader hears words. A change of the text flashes:
 * interest changes the last digits of nearly every value all the time.
 */
export function ShownValue(props: ShownValueProps): ReactNode {
  const { value, show, absent = 'Unknown', none = false, signed = false, derived = false, unit } = props;
  const number = value === null || value === undefined ? null : Decimal.of(value);
  const shown = number === null ? null : show(number);
  const changes = useChanges(shown?.text ?? null);
  if (number === null || shown === null || value === null || value === undefined)
    return <Absent why={absent} none={none} />;
  const tone = !signed || number.isZero ? '' : number.isNegative ? ' loss' : ' gain';
  return (
    <data
      key={changes}
      className={`value${tone}${changes > 0 ? ' changed' : ''}`}
      value={value}
      title={unit === undefined ? value : `${value}${NO_BREAK}${unit}`}
      data-derived={derived ? '' : undefined}
    >
      {shown.text === shown.spoken ? (
        shown.text
      ) : (
        <>
          <span aria-hidden="true">{shown.text}</span>
          <span className="visually-hidden">{shown.spoken}</span>
        </>
      )}
    </data>
  );
}

/** "None" or "Unknown", with the reason on hover. */
export function Absent({ why, none = false }: { readonly why: string; readonly none?: boolean }): ReactNode {
  return (
    <span className="value absent" title={why}>
      <span aria-hidden="true">{none ? 'None' : 'Unknown'}</span>
      <span className="visually-hidden">{why}</span>
    </span>
  );
}

/** Number of changes of a text since it was first shown. */
function useChanges(shown: string | null): number {
  const before = useRef(shown);
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    setChanges((known) => known + 1);
  }, [shown]);
  return changes;
}

export type AmountProps = Omit<ShownValueProps, 'show'>;

/** $4,101.64, $15,731, $18.8M. `largest` of a column gives all its rows one precision. */
export const Usd = ({
  largest,
  ...props
}: AmountProps & { readonly largest?: Decimal | undefined }): ReactNode => (
  <ShownValue
    {...props}
    show={(value) => usd(value, { change: props.signed === true, ...(largest && { largest }) })}
  />
);

/** $107.9K, for feeds and risk. */
export const UsdShort = (props: AmountProps): ReactNode => <ShownValue {...props} show={usdShort} />;

/** $163.37 */
export const Price = (props: AmountProps): ReactNode => <ShownValue {...props} show={price} />;

/** 17,192.56 USDC */
export const Tokens = ({ symbol, ...props }: AmountProps & { readonly symbol: string }): ReactNode => (
  <ShownValue
    {...props}
    unit={symbol}
    show={(value) => tokens(value, symbol, { change: props.signed === true })}
  />
);

/** A yield or a cost, a fraction of the gateway: 0.0512 is 5.12%. */
export const Percent = (props: AmountProps): ReactNode => (
  <ShownValue {...props} show={(value) => rate(value, { change: props.signed === true })} />
);

/** A part of a whole: 27.1%. */
export const Part = ({ whole = false, ...props }: AmountProps & { readonly whole?: boolean }): ReactNode => (
  <ShownValue {...props} show={(value) => part(value, { change: props.signed === true, whole })} />
);

/** A number of things: 1,192 */
export const Count = (props: AmountProps): ReactNode => <ShownValue {...props} show={count} />;

/** A bare number with up to so many decimals, for what is neither money nor a part, such as a factor. */
export const Plain = ({ places = 2, ...props }: AmountProps & { readonly places?: number }): ReactNode => (
  <ShownValue
    {...props}
    show={(value) => {
      const text = value.format({ locale: 'en-US', places }).replace('-', '\u2212');
      return { text, spoken: text };
    }}
  />
);
