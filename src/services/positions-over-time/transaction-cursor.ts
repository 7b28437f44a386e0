import { SluiceError } from '../../errors/sluice-error.ts';
import type { EventKey } from '../../store/transactions/event-order.ts';

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
