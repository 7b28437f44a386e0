import { type ReactNode, useId } from 'react';
import { Tokens } from '../ui/value.tsx';
import { amountAtStep, STEPS, stepOfAmount, type Typed } from './amount.ts';
import type { ActUnit, Maximum } from './maximum.ts';

export interface AmountFieldProps {
  readonly unit: ActUnit;
  readonly maximum: Maximum;
  readonly text: string;
  readonly typed: Typed;
  readonly disabled: boolean;
  readonly onChange: (text: string, isMaximum: boolean) => void;
}

/** An exact amount, typed or by a slider up to the maximum. */
export function AmountField({ unit, maximum, text, typed, disabled, onChange }: AmountFieldProps): ReactNode {
  const [input, hint, mistake] = [useId(), useId(), useId()];
  const { amount: most } = maximum;
  const none = most === null || most.isZero;
  const step = stepOfAmount(typed.kind === 'amount' ? typed.amount : null, most);
  const slide = (next: number) => {
    if (most === null) return;
    const amount = amountAtStep(next, most, unit.decimals);
    onChange(amount.isZero ? '' : amount.toString(), next >= STEPS);
  };
  return (
    <div className="amount">
      <label htmlFor={input}>Amount in {unit.symbol}</label>
      <div className="row">
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
        <button type="button" disabled={disabled || none} onClick={() => slide(STEPS)}>
          Max
        </button>
      </div>
      <input
        type="range"
        min={0}
        max={STEPS}
        value={step}
        disabled={disabled || none}
        onChange={({ target }) => slide(target.valueAsNumber)}
        aria-label="Part of the maximum"
        aria-valuetext={`${step}% of the maximum`}
      />
      <p id={hint} className="muted">
        Maximum{' '}
        <Tokens
          derived
          value={most?.toString()}
          symbol={unit.symbol}
          absent="The gateway could not read what it depends on."
        />
        : {maximum.because}
      </p>
      <p id={mistake} className="problem" aria-live="polite">
        {typed.kind === 'mistake' && typed.message}
      </p>
    </div>
  );
}
