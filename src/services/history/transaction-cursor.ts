import { SluiceError } from '../../errors/sluice-error.ts';
import type { EventKey, EventPage } from '../../store/transactions/event-order.ts';
import { isBackwards, type PageRequest, pageSize } from '../paging/paging.ts';

/** Encodes an event's position in chain order, which later events do not change. */
export function writeEventCursor({ slot, place, signature, index }: EventKey, fingerprint: string): string {
  return Buffer.from(`${slot}.${place}.${signature}.${index}.${fingerprint}`).toString('base64url');
}

const CURSOR = /^(\d{1,18})\.(-?\d{1,9})\.([1-9A-HJ-NP-Za-km-z]{1,100})\.(\d{1,6})\.([\w-]+)$/;

/** @throws CURSOR_INVALID for a cursor of another list or filter, and for malformed text */
export function readEventCursor(cursor: string | null | undefined, fingerprint: string): EventKey | null {
  if (cursor === null || cursor === undefined) return null;
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, slot = '', place = '', signature = '', index = '', given] = match ?? [];
  if (given !== fingerprint) throw new SluiceError('CURSOR_INVALID', { cursor: cursor.slice(0, 80) });
  return { slot: BigInt(slot), place: Number(place), signature, index: Number(index) };
}

/** The events to read for a page of a list that is newest first. */
export interface EventWindow {
  readonly backwards: boolean;
  /** Reads in reverse order when backwards, and one extra event, which shows whether there are more. */
  readonly page: EventPage & { readonly limit: number };
  /** The events of the page, without the extra one, newest first. */
  cut<E>(found: readonly E[]): {
    readonly items: readonly E[];
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
  };
}

/** @throws CURSOR_INVALID, NUMBER_OUT_OF_RANGE */
export function eventWindow(request: PageRequest, fingerprint: string): EventWindow {
  const after = readEventCursor(request.after, fingerprint);
  const before = readEventCursor(request.before, fingerprint);
  const size = pageSize(request);
  const backwards = isBackwards(request);
  return {
    backwards,
    page: backwards
      ? { order: 'oldestFirst', limit: size + 1, after: before, before: after }
      : { order: 'newestFirst', limit: size + 1, after, before },
    cut(found) {
      const more = found.length > size;
      const items = found.slice(0, size);
      return {
        items: backwards ? items.reverse() : items,
        hasNextPage: backwards ? before !== null : more || before !== null,
        hasPreviousPage: backwards ? more || after !== null : after !== null,
      };
    },
  };
}
