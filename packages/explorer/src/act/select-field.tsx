import { type ReactNode, useId } from 'react';

interface SelectFieldProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly options: readonly (readonly [value: V, name: string])[];
  readonly onChange: (value: V) => void;
}

export function SelectField<V extends string>({
  label,
  value,
  options,
  onChange,
}: SelectFieldProps<V>): ReactNode {
  const id = useId();
  return (
    <div className="amount">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          const [chosen] = options.find(([each]) => each === target.value) ?? [];
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
