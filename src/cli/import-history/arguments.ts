import { defineCommand } from '../define-command.ts';
import { DEFAULT_SEGMENT, segmentOf, sourceUrl } from '../deployment/source-arguments.ts';
import type { Kind } from './subjects.ts';

/** The parsed command line. */
export interface ImportCommand {
  /** The deployment to import from. May contain credentials, which are never printed. */
  readonly from: URL;
  /** Null to start where the deployment's history begins. */
  readonly start: Date | null;
  readonly end: Date;
  readonly now: Date;
  readonly requestsPerSecond: number;
  readonly kinds: readonly Kind[];
  /** Path segment of the market operations. */
  readonly segment: string;
  /** Whether to import minutes as well. The contract only has them for reserves. */
  readonly minutes: boolean;
}

const KINDS: Readonly<Record<string, Kind>> = { markets: 'market', reserves: 'reserve', vaults: 'vault' };
const DEFAULT_RATE = '4';
const MAX_RATE = 1_000;

export const IMPORT_HISTORY = defineCommand({
  usage: `Fills the history in DATABASE_URL from another deployment.

npm run import-history -- --from URL [options]
  --start DATE  --end DATE          ISO 8601 dates; default: everything up to now
  --rate N                          requests per second; default: 4
  --only vaults|reserves|markets    import one kind only
  --minutes                         also import the minutes of reserves
  --segment NAME                    path segment of the market operations; default: ${DEFAULT_SEGMENT}
`,
  options: {
    from: { type: 'string' },
    start: { type: 'string' },
    end: { type: 'string' },
    rate: { type: 'string' },
    only: { type: 'string' },
    minutes: { type: 'boolean' },
    segment: { type: 'string' },
  },
  accept({ values }, now): ImportCommand | null {
    const from = sourceUrl(values.from ?? '');
    const start = values.start === undefined ? null : new Date(values.start);
    const end = values.end === undefined ? now : new Date(values.end);
    const requestsPerSecond = Number(values.rate ?? DEFAULT_RATE);
    const only = values.only === undefined ? undefined : KINDS[values.only];
    const segment = segmentOf(values.segment);
    if (from === null || segment === null || (values.only !== undefined && only === undefined)) return null;
    if (!((start?.getTime() ?? 0) < end.getTime())) return null;
    if (!(requestsPerSecond > 0 && requestsPerSecond <= MAX_RATE)) return null;
    const kinds = only === undefined ? Object.values(KINDS) : [only];
    return { from, start, end, now, requestsPerSecond, kinds, segment, minutes: values.minutes ?? false };
  },
});
