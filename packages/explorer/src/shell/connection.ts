/** A View is built every second or two. Silence this long is more than a slow one. */
const LATE_MS = 10_000;

export interface Signs {
  /** When the newest event of the stream arrived. Null before the first one. */
  readonly heardAt: number | null;
  readonly now: number;
  /** Age of the newest View when the gateway was last asked. Null before the first answer. */
  readonly viewAgeMs: number | null;
  /** Why the gateway refused the stream. Null when it did not. */
  readonly refused: string | null;
  /** Whether the last question to the gateway failed. */
  readonly unreachable: boolean;
}

export interface Connection {
  readonly tone: 'safe' | 'late' | 'broken' | 'connecting';
  /** Read out when it changes, so it contains nothing that counts. */
  readonly text: string;
  /** Duration, if it is known. */
  readonly forMs?: number;
}

/** Age of the page's data, in a word or two. */
export function connectionOf({ heardAt, now, viewAgeMs, refused, unreachable }: Signs): Connection {
  const silentMs = heardAt === null ? null : now - heardAt;
  if (unreachable && (silentMs === null || silentMs > LATE_MS))
    return { tone: 'broken', text: 'Gateway unreachable' };
  if (refused !== null) return { tone: 'late', text: 'No live updates' };
  if (viewAgeMs !== null && viewAgeMs > LATE_MS)
    return { tone: 'late', text: 'Chain is behind', forMs: viewAgeMs };
  if (silentMs === null) return { tone: 'connecting', text: 'Connecting' };
  if (silentMs > LATE_MS) return { tone: 'late', text: 'No updates', forMs: silentMs };
  return { tone: 'safe', text: 'Live' };
}
