import { type ReactNode, useId } from 'react';

interface TextFieldProps {
  readonly label: string;
  /** Of a number by default. */
  readonly kind?: 'text' | 'decimal';
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function TextField({ label, kind = 'decimal', value, onChange }: TextFieldProps): ReactNode {
  const input = useId();
  return (
    <div className="amount">
      <label htmlFor={input}>{label}</label>
      <input
        id={input}
        inputMode={kind}
        autoComplete="off"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  );
}
