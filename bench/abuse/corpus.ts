import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signedTransaction } from './placeholders.ts';
import type { Attack, Target } from './targets.ts';

/**
 * One of the worst requests that a search has found. `test/query/abuse-corpus.test.ts` counts its work, and each search
 * runs it beside another client. To add one, copy it from the folder of `--corpus`, and set its bounds to what the test prints.
 */
export interface CorpusEntry {
  readonly name: string;
  readonly isStream: boolean;
  readonly request: Attack;
  /** Units that the caller is charged at least: one or more. RPC calls are among what it is charged for. */
  readonly leastUnits: number;
  /** Lookups in the View between two pauses at most, each turn being over at once. */
  readonly mostLookups: number;
}

/** Smallest bound on lookups. Fewer take no time, and change with every edit of a resolver. */
export const LOOKUP_FLOOR = 50;

/** How much more or less than its bounds a request may count before they must be reviewed. */
const SHARE = 1.5;

/** Bounds for a request that was charged these units and made at most these lookups between two pauses. */
export const boundsFor = (
  units: number,
  lookups: number,
): Pick<CorpusEntry, 'leastUnits' | 'mostLookups'> => ({
  leastUnits: Math.max(1, Math.floor(units / SHARE)),
  mostLookups: Math.max(LOOKUP_FLOOR, Math.ceil(lookups * SHARE)),
});

export const CORPUS_KINDS = ['graphql', 'rest', 'mcp', 'streams', 'sending'] as const;
export type CorpusKind = (typeof CORPUS_KINDS)[number];

const PREFIX = 'corpus: ';
const FOLDER = fileURLToPath(new URL('corpus/', import.meta.url));

export function readCorpus(kind: CorpusKind, folder = FOLDER): CorpusEntry[] {
  const file = join(folder, `${kind}.json`);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as CorpusEntry[]) : [];
}

/** Adds requests that are not there yet. Their bounds are open: the test prints what to set them to. */
export function writeCorpus(
  folder: string,
  found: readonly Pick<CorpusEntry, 'name' | 'isStream' | 'request'>[],
): void {
  mkdirSync(folder, { recursive: true });
  for (const kind of CORPUS_KINDS) {
    const known = readCorpus(kind, folder);
    const names = new Set(known.map(({ name }) => name));
    const open = { leastUnits: Number.MAX_SAFE_INTEGER, mostLookups: 0 };
    const added = found
      .filter((each) => kindOf(each) === kind && !names.has(each.name))
      .map((each) => ({ ...each, ...open }));
    if (added.length === 0) continue;
    writeFileSync(join(folder, `${kind}.json`), `${JSON.stringify([...known, ...added], null, 2)}\n`);
  }
}

export function kindOf({ isStream, request }: Pick<CorpusEntry, 'isStream' | 'request'>): CorpusKind {
  if (isStream) return 'streams';
  if (/sendTransaction/.test(request.body ?? '') || request.target.startsWith('/transactions'))
    return 'sending';
  if (request.target === '/mcp') return 'mcp';
  return request.target === '/graphql' ? 'graphql' : 'rest';
}

export const isInCorpus = ({ name }: Target): boolean => name.startsWith(PREFIX);

/** Requests of the corpus as targets. */
export function corpusTargets(): Target[] {
  return CORPUS_KINDS.flatMap((kind) => readCorpus(kind)).map(({ name, isStream, request }) => ({
    name: `${PREFIX}${name}`,
    isStream,
    isPlain: true,
    permissible: (knobs) => knobs,
    attack: (_, number) => numbered(request, number),
  }));
}

/** The first request of a target as the one with a number, so that no cache answers it. */
function numbered({ target, body, ...rest }: Attack, number: number): Attack {
  return {
    ...rest,
    target: target.replace(/\bn=1\b/, `n=${number}`),
    body:
      body
        ?.replace(/\bQ1\b/, `Q${number}`)
        .replace(/"id":1,/, `"id":${number},`)
        .replace(/<transaction (\d+) (\d+)>/g, (_, draw: string, first: string) =>
          signedTransaction(Number(draw), Number(first) + number),
        ) ?? null,
  };
}
