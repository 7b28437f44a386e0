import { defineCommand } from '../define-command.ts';
import { DEFAULT_SEGMENT, segmentOf, sourceUrl } from '../deployment/source-arguments.ts';

/** The parsed command line. */
export interface ImportCatalogueCommand {
  /** The deployment to import from. May contain credentials, which are never printed. */
  readonly from: URL;
  /** The catalogue file to write, or to bring up to date. */
  readonly out: string;
  /** Path segment of the market operations. */
  readonly segment: string;
  readonly requestsPerSecond: number;
  /** Whether to print the differences and write nothing. */
  readonly dryRun: boolean;
}

const DEFAULT_RATE = '4';
const MAX_RATE = 1_000;

export const IMPORT_CATALOGUE = defineCommand({
  usage: `Writes a catalogue file with the markets and tokens of another deployment.

npm run import-catalogue -- --from URL --out FILE [options]
  --segment NAME    path segment of the market operations; default: ${DEFAULT_SEGMENT}
  --rate N          requests per second; default: 4
  --dry-run         print the differences and write nothing
`,
  options: {
    from: { type: 'string' },
    out: { type: 'string' },
    segment: { type: 'string' },
    rate: { type: 'string' },
    'dry-run': { type: 'boolean' },
  },
  accept({ values }): ImportCatalogueCommand | null {
    const from = sourceUrl(values.from ?? '');
    const segment = segmentOf(values.segment);
    const requestsPerSecond = Number(values.rate ?? DEFAULT_RATE);
    const out = values.out ?? '';
    if (from === null || segment === null || out === '') return null;
    if (!(requestsPerSecond > 0 && requestsPerSecond <= MAX_RATE)) return null;
    return { from, out, segment, requestsPerSecond, dryRun: values['dry-run'] ?? false };
  },
});
