import { type ReactNode, useId } from 'react';
import { TokenMark } from '../ui/mark.tsx';
import { Tokens } from '../ui/value.tsx';
import type { Typed } from './amount.ts';
import type { ActUnit, Maximum } from './maximum.ts';

export interface AmountFieldProps {
  readonly unit: ActUnit;
  /** Symbol of the token, for its mark. Absent for shares. */
  readonly mark?: string | undefined;
  readonly maximum: Maximum;
  readonly text: string;
  readonly typed: Typed;
  readonly disabled: boolean;
  readonly onChange: (text: string, isMaximum: boolean) => void;
}

/** An exact amount: typed, or the maximum. */
export function AmountField(props: AmountFieldProps): ReactNode {
  const { unit, mark, maximum, text, typed, disabled, onChange } = props;
  const [input, hint, mistake] = [useId(), useId(), useId()];
  const { amount: most, because, held } = maximum;
  return (
    <div className="amount">
      <label htmlFor={input}>
        Amount<span className="visually-hidden"> in {unit.symbol}</span>
      </label>
      <div className="amount-box">
        {mark !== undefined && <TokenMark name={mark} size={28} />}
        <input
          id={input}
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          value={text}
          disabled={disabled}
          onChange={({ target }) => onChange(target.value, false)}
          aria-invalid={typed.kind === 'mistake'}
          aria-describedby={`${hint} ${mistake}`}
        />
        <span className="muted" aria-hidden="true">
          {unit.symbol}
        </span>
        <button
          type="button"
          className="small"
          disabled={disabled || most === null || most.isZero}
          onClick={() => most !== null && onChange(most.toString(), true)}
        >
          Max
        </button>
      </div>
      <p id={hint} className="sub" title={because}>
        {held === undefined ? 'At most ' : 'You hold '}
        <Tokens
          derived
          value={(held ?? most)?.toString()}
          symbol={unit.symbol}
          absent="The gateway could not read what it depends on."
        />
      </p>
      <p id={mistake} className="problem" aria-live="polite">
        {typed.kind === 'mistake' && typed.message}
      </p>
    </div>
  );
}
