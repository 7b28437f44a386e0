import { z } from 'zod';
import { SluiceError } from '../errors/sluice-error.ts';

const MAX_SHOWN = 100;

const Position = z.strictObject({
  view: z.string(),
  /** Items that earlier parts of the answer had, by the path of their list. */
  seen: z.record(z.string(), z.int().min(0)),
});

/** Where the next part of a long answer starts. It names the View, so that the parts are of one state. */
export type PagePosition = z.infer<typeof Position>;

export const encodeCursor = (position: PagePosition): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** @throws SluiceError CURSOR_INVALID */
export function decodeCursor(cursor: string): PagePosition {
  const read = Position.safeParse(parsed(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (!read.success) throw new SluiceError('CURSOR_INVALID', { cursor: cursor.slice(0, MAX_SHOWN) });
  return read.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
