import { type ReactNode, useId } from 'react';

export interface ChoiceProps<Key extends string> {
  /** Names the choice for screen readers. */
  readonly label: string;
  readonly options: readonly (readonly [Key, string])[];
  readonly value: Key;
  readonly onChange: (key: Key) => void;
}

/** Radio buttons in a row: arrow keys move between them. */
export function Choice<Key extends string>({ label, options, value, onChange }: ChoiceProps<Key>): ReactNode {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="visually-hidden">{label}</legend>
      {options.map(([key, text]) => (
        <label key={key}>
          <input type="radio" name={name} checked={key === value} onChange={() => onChange(key)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
