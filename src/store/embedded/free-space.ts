import { statfs } from 'node:fs/promises';
import { pauseFor } from '../../node/pause-for.ts';

/** PostgreSQL creates the files of its log with their full size. */
export const LOG_FILE_BYTES = 16 * 2 ** 20;
/** With less than this, writing would soon fail again. */
const WORKING_BYTES = 4 * LOG_FILE_BYTES;
const POLL_MS = 2_000;

/** Free bytes on the disk of a directory; null when it cannot be read. */
export async function freeBytes(directory: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(directory);
    return bavail * bsize;
  } catch {
    // No such directory, or a database in memory: opening it reports what is wrong.
    return null;
  }
}

/** Resolves when the disk has space to work with, or when the signal is aborted. */
export async function untilSpace(directory: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const free = await freeBytes(directory);
    if (free === null || free >= WORKING_BYTES) return;
    await pauseFor(POLL_MS, signal);
  }
}
