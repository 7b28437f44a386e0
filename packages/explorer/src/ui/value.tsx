import { Decimal, type DecimalFormat } from '@sluice/client';
import { type ReactNode, useEffect, useRef, useState } from 'react';

export interface ValueProps extends DecimalFormat {
  /** Exact value from the gateway. Null: it could not be read. */
  readonly value: string | null | undefined;
  /** Text after the number, such as a symbol. */
  readonly unit?: string;
  /** Why the value can be null, shown on hover. */
  readonly absent?: string;
  /** Colours gains and losses. */
  readonly signed?: boolean;
  /** Computed by the page: such a number is not in the answer of the panel's query. */
  readonly derived?: boolean;
}

/** More digits than any value of the gateway has after its point. */
const ALL_PLACES = 60;

/**
 * A formatted number. The exact value is one hover away, and the one that screen readers read. A change of the text
 * flashes; interest changes the last digits of nearly every value all the time.
 */
export function Value(props: ValueProps): ReactNode {
  const { value, unit, absent = 'Unknown', signed = false, derived = false, ...format } = props;
  const number = value === null || value === undefined ? null : Decimal.of(value);
  const shown = number && withUnit(number.format(signed ? { sign: 'exceptZero', ...format } : format), unit);
  const changes = useChanges(shown);
  if (number === null || value === null || value === undefined) return <Absent why={absent} />;
  const exact = withUnit(
    number.format({ ...format, compact: false, places: ALL_PLACES, minPlaces: format.minPlaces ?? 0 }),
    unit,
  );
  const tone = !signed || number.isZero ? '' : number.isNegative ? ' loss' : ' gain';
  return (
    <data
      key={changes}
      className={`value${tone}${changes > 0 ? ' changed' : ''}`}
      value={value}
      title={exact}
      data-derived={derived ? '' : undefined}
    >
      {shown === exact ? (
        shown
      ) : (
        <>
          <span aria-hidden="true">{shown}</span>
          <span className="visually-hidden">{exact}</span>
        </>
      )}
    </data>
  );
}

/** A dash with the reason on hover. */
export function Absent({ why }: { readonly why: string }): ReactNode {
  return (
    <span className="value absent" title={why}>
      <span aria-hidden="true">–</span>
      <span className="visually-hidden">{why}</span>
    </span>
  );
}

const withUnit = (text: string, unit: string | undefined): string =>
  unit === undefined ? text : `${text} ${unit}`;

/** Number of changes of a text since it was first shown. */
function useChanges(shown: string | null): number {
  const before = useRef(shown);
  const [changes, setChanges] = useState(0);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    setChanges((count) => count + 1);
  }, [shown]);
  return changes;
}

type Part = Omit<ValueProps, keyof DecimalFormat>;

/** $1.2M in tables, $1,234.56 elsewhere. */
export const Usd = ({ compact = false, ...props }: Part & { readonly compact?: boolean }): ReactNode => (
  <Value {...props} style="usd" compact={compact} places={compact ? 1 : 2} />
);

/** A fraction as a percentage: 0.0512 is 5.12%. */
export const Percent = ({ places = 2, ...props }: Part & { readonly places?: number }): ReactNode => (
  <Value {...props} style="percent" places={places} minPlaces={places} />
);
