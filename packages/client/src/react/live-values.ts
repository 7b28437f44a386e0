import type { Answer } from '../answer.ts';
import { type Updates, updatesOf } from './merge-by-id.ts';

interface LiveValue {
  readonly slot: bigint;
  readonly value: unknown;
}

/** Slot of an answer. Null when it reads nothing from the chain. */
export const slotOf = ({ chain }: Answer<unknown>): bigint | null =>
  chain === null ? null : BigInt(chain.slot);

/**
 * The newest values that streams have delivered, by object and field. Answers and events of several connections, or of
 * several gateways behind one address, arrive in any order; the slot tells which value is newer.
 */
export class LiveValues {
  readonly #values = new Map<string, Map<string, LiveValue>>();

  /** Records an event. Returns its updates, without the values of which a newer one is known. */
  record(event: Answer<unknown>): Updates {
    const slot = slotOf(event);
    const updates = updatesOf(withoutFailures(event));
    if (slot === null) return updates;
    return new Map(
      [...updates].map(([id, fields]) => {
        const known = this.#values.get(id) ?? new Map<string, LiveValue>();
        this.#values.set(id, known);
        const newest = Object.entries(fields).filter(([name]) => (known.get(name)?.slot ?? slot) <= slot);
        for (const [name, value] of newest) known.set(name, { slot, value });
        return [id, Object.fromEntries(newest)] as const;
      }),
    );
  }

  /** Values that are newer than a slot. */
  since(slot: bigint): Updates {
    const newer = new Map<string, Record<string, unknown>>();
    for (const [id, fields] of this.#values)
      for (const [name, known] of fields)
        if (known.slot > slot) newer.set(id, { ...newer.get(id), [name]: known.value });
    return newer;
  }
}

/** A field that could not be read is null with an error. It must not replace a value that could. */
function withoutFailures({ data, errors }: Answer<unknown>): unknown {
  return errors.reduce<unknown>((rest, { path }) => without(rest, path), data);
}

function without(value: unknown, path: readonly (string | number)[]): unknown {
  const [key, ...rest] = path;
  if (key === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? without(item, rest) : item));
  const { [key]: part, ...others } = value as Record<string, unknown>;
  // The error of a field that must not be null has made its parent null.
  return part === null || part === undefined ? others : { ...others, [key]: without(part, rest) };
}
