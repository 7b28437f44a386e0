import { type ReactNode, useId } from 'react';
import { SelectField } from '../select-field.tsx';
import { checkedText, type Field, isChecked } from './field.ts';
import type { Texts } from './task.ts';

interface TaskFieldsProps {
  readonly fields: Readonly<Record<string, Field<unknown>>>;
  readonly texts: Texts;
  readonly mistakes: Texts;
  readonly onChange: (key: string, text: string) => void;
}

export function TaskFields({ fields, texts, mistakes, onChange }: TaskFieldsProps): ReactNode {
  return Object.entries(fields).map(([key, field]) => (
    <TaskField
      key={key}
      field={field}
      text={texts[key] ?? ''}
      mistake={mistakes[key] ?? null}
      onChange={(text) => onChange(key, text)}
    />
  ));
}

interface TaskFieldProps {
  readonly field: Field<unknown>;
  readonly text: string;
  readonly mistake: string | null;
  readonly onChange: (text: string) => void;
}

function TaskField({ field: { label, hint, control }, text, mistake, onChange }: TaskFieldProps): ReactNode {
  const ids = { input: useId(), hint: useId(), mistake: useId() };
  const hintLine = hint !== undefined && (
    <p id={ids.hint} className="muted">
      {hint}
    </p>
  );
  if (control.kind === 'select')
    return (
      <div>
        <SelectField label={label} value={text} options={control.options} onChange={onChange} />
        {hintLine}
      </div>
    );
  if (control.kind === 'checkbox')
    return (
      <div className="amount">
        <div className="check">
          <input
            id={ids.input}
            type="checkbox"
            checked={isChecked(text)}
            onChange={({ target }) => onChange(checkedText(target.checked))}
            aria-describedby={ids.hint}
          />
          <label htmlFor={ids.input}>{label}</label>
        </div>
        {hintLine}
      </div>
    );
  return (
    <div className="amount">
      <label htmlFor={ids.input}>{label}</label>
      <input
        id={ids.input}
        inputMode={control.kind}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => onChange(target.value)}
        aria-invalid={mistake !== null}
        aria-describedby={`${ids.hint} ${ids.mistake}`}
      />
      {hintLine}
      <p id={ids.mistake} className="problem" aria-live="polite">
        {mistake}
      </p>
    </div>
  );
}
