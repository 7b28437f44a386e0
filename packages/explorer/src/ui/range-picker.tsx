import { type ReactNode, useId } from 'react';
import { useUrlChoice } from './url-state.ts';

/** A `Period` of the schema, or everything recorded. */
export type Range = 'H24' | 'D7' | 'D30' | 'D90' | 'D365' | 'ALL';

export const RANGES: readonly (readonly [Range, string, string])[] = [
  ['H24', '24H', '24 hours'],
  ['D7', '7D', '7 days'],
  ['D30', '30D', '30 days'],
  ['D90', '90D', '90 days'],
  ['D365', '1Y', 'One year'],
  ['ALL', 'All', 'Everything recorded'],
];

/** The argument `last` of a history field. Null asks for everything recorded. */
export const lastOf = (range: Range): Exclude<Range, 'ALL'> | null => (range === 'ALL' ? null : range);

const WORDS = RANGES.map(([range]) => range);

/** A range that is part of the link of the page. */
export const useRange = (key: string, initial: Range): readonly [Range, (range: Range) => void] =>
  useUrlChoice(key, WORDS, initial);

export interface RangePickerProps {
  readonly value: Range;
  readonly onChange: (range: Range) => void;
  /** Subject of the range, for screen readers. */
  readonly label?: string;
}

/** Radio buttons in a row: arrow keys move between them. */
export function RangePicker({ value, onChange, label = 'Range' }: RangePickerProps): ReactNode {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{label}</legend>
      {RANGES.map(([range, text, title]) => (
        <label key={range} title={title}>
          <input
            type="radio"
            name={name}
            value={range}
            checked={range === value}
            onChange={() => onChange(range)}
            aria-label={title}
          />
          <span aria-hidden="true">{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
