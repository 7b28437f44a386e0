import { type ReactNode, useId } from 'react';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A labelled field for a number. */
export function TextField({ label, value, onChange }: TextFieldProps): ReactNode {
  const input = useId();
  return (
    <div className="amount">
      <label htmlFor={input}>{label}</label>
      <input
        id={input}
        inputMode="decimal"
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
