import type { Read, Reader } from './read.ts';

/** How a field is filled in. */
export type Control =
  | { readonly kind: 'text' | 'decimal' | 'checkbox' }
  | { readonly kind: 'select'; readonly options: readonly (readonly [value: string, name: string])[] };

/** A field of a form, and what its text means. */
export interface Field<Value> {
  readonly label: string;
  /** A line below the field. */
  readonly hint?: string;
  readonly control: Control;
  readonly initial: string;
  /** An empty text means that the value is missing. */
  read(text: string): Read<Value>;
}

interface FieldOptions {
  readonly hint?: string | undefined;
  readonly initial?: string;
  readonly control?: Control;
}

export const field = <Value>(
  label: string,
  read: Reader<Value>,
  { hint, initial = '', control = { kind: 'decimal' } }: FieldOptions = {},
): Field<Value> => ({ label, ...(hint === undefined ? {} : { hint }), control, initial, read });

/** A field that may stay empty: its value is undefined then. */
export const optional = <Value>({ read, ...rest }: Field<Value>): Field<Value | undefined> => ({
  ...rest,
  read: (text) => {
    const meaning = read(text);
    return meaning.kind === 'empty' ? { kind: 'value', value: undefined } : meaning;
  },
});

/** A field of text that is not a number, such as an address. */
export const words = <Value>(
  label: string,
  read: Reader<Value>,
  options: Omit<FieldOptions, 'control'> = {},
): Field<Value> => field(label, read, { ...options, control: { kind: 'text' } });

const YES = 'yes';

export const checkbox = (label: string, isChecked: boolean, hint?: string): Field<boolean> =>
  field(label, (text) => ({ kind: 'value', value: text === YES }), {
    hint,
    initial: checkedText(isChecked),
    control: { kind: 'checkbox' },
  });

export const isChecked = (text: string): boolean => text === YES;
export const checkedText = (checked: boolean): string => (checked ? YES : '');

/** One of several values; the first at first. An option with an empty value asks to choose. */
export const choice = (
  label: string,
  options: readonly (readonly [value: string, name: string])[],
  hint?: string,
): Field<string> =>
  field(label, (text) => (text === '' ? { kind: 'empty' } : { kind: 'value', value: text }), {
    hint,
    initial: options[0]?.[0] ?? '',
    control: { kind: 'select', options },
  });
