import { parseArgs } from 'node:util';
import type { Kind } from './subjects.ts';

/** What the command was asked to do. */
export interface ImportCommand {
  /** Of the deployment that has the history; may hold credentials, which are never printed. */
  readonly from: URL;
  /** Null: from where the deployment's history begins. */
  readonly start: Date | null;
  readonly end: Date;
  readonly now: Date;
  readonly requestsPerSecond: number;
  readonly kinds: readonly Kind[];
  /** Whether points of a minute are imported where the contract gives them: of reserves. */
  readonly minutes: boolean;
}

export const USAGE = `npm run import-history -- --from URL   fills the history of DATABASE_URL from another deployment
  --start D  --end D                    ISO dates; without them everything up to now
  --rate N                              requests a second, 4 unless given
  --only vaults|reserves|markets        one kind alone
  --minutes                             minutes of reserves, too
`;

const KINDS: Readonly<Record<string, Kind>> = { markets: 'market', reserves: 'reserve', vaults: 'vault' };
const DEFAULT_RATE = '4';
const MOST_PER_SECOND = 1_000;

/** Null when the arguments make no sense. */
export function readArguments(args: readonly string[], now: Date): ImportCommand | null {
  const values = parsed(args);
  if (values === null) return null;
  const from = sourceUrl(values.from ?? '');
  const start = values.start === undefined ? null : new Date(values.start);
  const end = values.end === undefined ? now : new Date(values.end);
  const requestsPerSecond = Number(values.rate ?? DEFAULT_RATE);
  const only = values.only === undefined ? undefined : KINDS[values.only];
  if (from === null || (values.only !== undefined && only === undefined)) return null;
  if (!((start?.getTime() ?? 0) < end.getTime())) return null;
  if (!(requestsPerSecond > 0 && requestsPerSecond <= MOST_PER_SECOND)) return null;
  const kinds = only === undefined ? Object.values(KINDS) : [only];
  return { from, start, end, now, requestsPerSecond, kinds, minutes: values.minutes ?? false };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        from: { type: 'string' },
        start: { type: 'string' },
        end: { type: 'string' },
        rate: { type: 'string' },
        only: { type: 'string' },
        minutes: { type: 'boolean' },
      },
    }).values;
  } catch {
    return null;
  }
}

/** Paths are put behind it, so there is no room for a query. */
function sourceUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const plain = url.search === '' && url.hash === '' && /^https?:$/.test(url.protocol);
  return plain && isDecodable(url.username) && isDecodable(url.password) ? url : null;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
