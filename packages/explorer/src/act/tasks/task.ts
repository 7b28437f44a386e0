import type { Action } from '@sluice/client';
import type { Verb } from '../action.ts';
import type { Field } from './field.ts';

export type Fields = Readonly<Record<string, Field<unknown>>>;

export type ValuesOf<F extends Fields> = {
  readonly [Key in keyof F]: F[Key] extends Field<infer Value> ? Value : never;
};

/** Something that a wallet can do, with the fields to fill in. */
export interface Task<F extends Fields = Fields> {
  /** Heads the form and names its button. */
  readonly name: string;
  /** What will happen, and what it costs. */
  readonly about: string;
  /** In the order of the form. */
  readonly fields: F;
  /** Symbol of the token that moves, for the effect. */
  readonly symbol?: string;
  /** The action whose effect on a loan is alike. A withdrawal by default. */
  readonly verb?: Verb;
  /** Null while the values change nothing. */
  actionOf(wallet: string, values: ValuesOf<F>): Action | null;
}

/** Checks that an action takes the values of its fields. */
export const task = <F extends Fields>(described: Task<F>): Task => described;

/** Tasks to choose from. */
export interface TasksTarget {
  readonly kind: 'tasks';
  readonly title: string;
  /** Address of what the tasks are about: another one begins anew. */
  readonly subject: string;
  readonly tasks: readonly Task[];
  /** Symbols of tokens by the address of their reserve. */
  readonly symbols: Readonly<Record<string, string>>;
}

export type Texts = Readonly<Record<string, string>>;

export const initialTexts = (fields: Fields): Texts =>
  Object.fromEntries(Object.entries(fields).map(([key, { initial }]) => [key, initial]));

interface ReadFields<F extends Fields> {
  /** Null while something is missing or malformed. */
  readonly values: ValuesOf<F> | null;
  /** By field. */
  readonly mistakes: Texts;
}

/** What the texts of a form mean. */
export function readFields<F extends Fields>(fields: F, texts: Texts): ReadFields<F> {
  const read = Object.entries(fields).map(([key, each]) => [key, each.read(texts[key] ?? '')] as const);
  const mistakes = Object.fromEntries(
    read.flatMap(([key, meaning]) => (meaning.kind === 'mistake' ? [[key, meaning.message]] : [])),
  );
  const values = read.flatMap(([key, meaning]) => (meaning.kind === 'value' ? [[key, meaning.value]] : []));
  // Each value was read by the field of its key.
  return {
    values: values.length < read.length ? null : (Object.fromEntries(values) as ValuesOf<F>),
    mistakes,
  };
}

export interface ReadTask {
  /** Null while something is missing or malformed. */
  readonly action: Action | null;
  /** By field. */
  readonly mistakes: Texts;
}

/** The action that the texts of a form mean. */
export function readTask(described: Task, wallet: string, texts: Texts): ReadTask {
  const { values, mistakes } = readFields(described.fields, texts);
  return { action: values && described.actionOf(wallet, values), mistakes };
}

type Given<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The fields that were filled in: an input leaves out the others. */
export const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
