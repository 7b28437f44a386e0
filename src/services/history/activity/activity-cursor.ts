import { SluiceError } from '../../../errors/sluice-error.ts';
import type { ActivityKey } from '../../../store/transactions/read-activity.ts';

/** Encodes the position of an entry, which later transactions do not change. */
export function writeActivityCursor(
  { slot, place, signature, rank, index }: ActivityKey,
  fingerprint: string,
): string {
  return Buffer.from(`${slot}.${place}.${signature}.${rank}.${index}.${fingerprint}`).toString('base64url');
}

const CURSOR = /^(\d{1,18})\.(-?\d{1,9})\.([1-9A-HJ-NP-Za-km-z]{1,100})\.(\d)\.(\d{1,6})\.([\w-]+)$/;

/** @throws CURSOR_INVALID for a cursor of another wallet or filter, and for malformed text */
export function readActivityCursor(
  cursor: string | null | undefined,
  fingerprint: string,
): ActivityKey | null {
  if (cursor === null || cursor === undefined) return null;
  const match = CURSOR.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, slot = '', place = '', signature = '', rank = '', index = '', given] = match ?? [];
  if (given !== fingerprint) throw new SluiceError('CURSOR_INVALID', { cursor: cursor.slice(0, 80) });
  return { slot: BigInt(slot), place: Number(place), signature, rank: Number(rank), index: Number(index) };
}
