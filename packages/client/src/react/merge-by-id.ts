import { replaceEqualDeep } from '@tanstack/react-query';

type Fields = Readonly<Record<string, unknown>>;

/** New values by the global `id` of their object. */
export type Updates = ReadonlyMap<string, Fields>;

export interface Merged<Data> {
  /** The same object when nothing changes. Parts without a change keep their identity, so that they do not render again. */
  readonly data: Data;
  /** False when an update has a part of which `data` does not show the shape: read the data again. */
  readonly complete: boolean;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const idOf = (value: unknown): string | null =>
  isFields(value) && typeof value.id === 'string' ? value.id : null;

const listsWithIds = new WeakMap<readonly unknown[], boolean>();

/** Whether an event can change anything in a list. Remembered, so that a history is not searched for each event. */
function hasIds(list: readonly unknown[]): boolean {
  const known = listsWithIds.get(list) ?? list.some(containsIds);
  listsWithIds.set(list, known);
  return known;
}

function containsIds(value: unknown): boolean {
  if (Array.isArray(value)) return hasIds(value);
  return isFields(value) && (idOf(value) !== null || Object.values(value).some(containsIds));
}

/** The objects of an event that have an `id`, at any depth. */
export function updatesOf(event: unknown): Map<string, Fields> {
  const updates = new Map<string, Fields>();
  collect(event, updates);
  return updates;
}

function collect(value: unknown, updates: Map<string, Fields>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, updates);
  else if (isFields(value)) {
    const id = idOf(value);
    if (id !== null) updates.set(id, { ...updates.get(id), ...value });
    for (const part of Object.values(value)) collect(part, updates);
  }
}

/**
 * Copies updates to the objects in `data` with the same `id`. An object keeps its selection: fields that only the update
 * has are left out, and fields that the update does not have are kept.
 */
export function mergeById<Data>(data: Data, updates: Updates): Merged<Data> {
  if (updates.size === 0) return { data, complete: true };
  const merge = new Merge(updates);
  return { data: merge.merged(data) as Data, complete: merge.complete };
}

const UNKNOWN = Symbol('a part whose shape is unknown');

class Merge {
  readonly #updates: Updates;
  complete = true;

  constructor(updates: Updates) {
    this.#updates = updates;
  }

  merged(value: unknown): unknown {
    if (Array.isArray(value)) return hasIds(value) ? this.#mergedList(value) : value;
    if (!isFields(value)) return value;
    const update = this.#updates.get(idOf(value) ?? '');
    return this.#withFields(value, update ?? {});
  }

  #mergedList(list: readonly unknown[]): readonly unknown[] {
    const items = list.map((item) => this.merged(item));
    return items.some((item, index) => item !== list[index]) ? items : list;
  }

  #withFields(value: Fields, update: Fields): Fields {
    const entries = Object.entries(value).map(
      ([name, part]) =>
        [name, name in update ? this.#replaced(part, update[name]) : this.merged(part)] as const,
    );
    return entries.some(([name, part]) => part !== value[name]) ? Object.fromEntries(entries) : value;
  }

  #replaced(before: unknown, after: unknown): unknown {
    if (Array.isArray(after)) return this.#replacedList(before, after);
    if (!isFields(after)) return after;
    if (!isFields(before) || idOf(before) !== idOf(after) || !isSameType(before, after))
      return this.#known(before, after, shaped(before, after));
    return idOf(before) === null ? this.#withFields(before, after) : this.merged(before);
  }

  #replacedList(list: unknown, after: readonly unknown[]): unknown {
    const before: readonly unknown[] = Array.isArray(list) ? list : [];
    const items = after.map((item, index) => {
      const id = idOf(item);
      const same = id === null ? undefined : before.find((candidate) => idOf(candidate) === id);
      if (same !== undefined) return this.merged(same);
      return shaped(id === null ? (before[index] ?? before[0]) : before[0], item);
    });
    return this.#known(list, after, items.includes(UNKNOWN) ? UNKNOWN : items);
  }

  #known(before: unknown, after: unknown, result: unknown): unknown {
    if (result !== UNKNOWN) return replaceEqualDeep(before, result);
    if (!agree(before, after)) this.complete = false;
    return this.merged(before);
  }
}

/** Selected in both or not compared. */
const isSameType = (one: Fields, other: Fields): boolean =>
  one.__typename === undefined || other.__typename === undefined || one.__typename === other.__typename;

/** Whether an update has nothing new, so that it does not matter what it lacks. */
function agree(before: unknown, after: unknown): boolean {
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length && before.every((item, index) => agree(item, after[index]));
  if (!isFields(before) || !isFields(after)) return before === after;
  return Object.entries(before).every(([name, part]) => !(name in after) || agree(part, after[name]));
}

/** A new part with the selection of `sample`. `UNKNOWN` when it lacks a field, or when there is nothing to compare with. */
function shaped(sample: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => shaped(Array.isArray(sample) ? sample[0] : undefined, item));
    return items.includes(UNKNOWN) ? UNKNOWN : items;
  }
  if (!isFields(value)) return value;
  if (!isFields(sample) || !isSameType(sample, value)) return UNKNOWN;
  const entries = Object.entries(sample).map(
    ([name, part]) => [name, name in value ? shaped(part, value[name]) : UNKNOWN] as const,
  );
  return entries.some(([, part]) => part === UNKNOWN) ? UNKNOWN : Object.fromEntries(entries);
}
