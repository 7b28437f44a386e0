import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/** What each room may import, besides itself. The order is the architecture: imports point one way. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  // Where files are, from source and built.
  files: [],
  // What makes a start quick.
  start: [],
  // Waiting.
  time: [],
  telemetry: ['errors'],
  numeric: ['errors'],
  programs: ['errors', 'numeric'],
  domain: ['errors', 'numeric', 'programs'],
  builders: ['errors', 'numeric', 'programs', 'domain'],
  chain: ['errors', 'numeric', 'programs', 'domain'],
  threads: ['files'],
  store: ['errors', 'files', 'numeric', 'programs', 'domain', 'threads'],
  // Transactions, from the chain into the store.
  ingest: ['errors', 'numeric', 'programs', 'domain', 'chain', 'store'],
  services: ['errors', 'numeric', 'programs', 'domain', 'builders', 'chain', 'store', 'ingest'],
  // What subscribers hear of, and when.
  live: ['errors', 'numeric', 'programs', 'domain', 'chain', 'services'],
  // How a body is compressed for whom.
  coding: [],
  graphql: [
    'errors',
    'files',
    'coding',
    'time',
    'telemetry',
    'numeric',
    'programs',
    'domain',
    'services',
    'live',
  ],
  rest: ['errors', 'files', 'coding', 'time', 'telemetry', 'numeric', 'programs', 'domain', 'services'],
  // Answers of the graph that are given again.
  hot: ['errors', 'coding', 'telemetry', 'programs', 'rest'],
  // Who may ask, and how much.
  limits: ['errors', 'time', 'telemetry', 'store'],
  recorder: ['errors', 'time', 'numeric', 'programs', 'domain', 'chain', 'store', 'services'],
  // Our numbers beside those that the chain stores.
  drift: ['errors', 'numeric', 'programs', 'domain', 'chain', 'store', 'services'],
  demo: ['errors', 'numeric', 'programs'],
  // The embedded chain's past, told by the recorder's own eyes.
  'embedded-history': ['numeric', 'programs', 'chain', 'store', 'services', 'recorder', 'demo', 'threads'],
  'config-kinds.ts': [],
  'config.ts': ['config-kinds.ts', 'errors', 'programs'],
  'app-access.ts': ['config.ts', 'telemetry', 'limits', 'live'],
  'app-chain.ts': ['config.ts', 'telemetry', 'chain', 'store', 'demo'],
  'app-drift.ts': ['config.ts', 'telemetry', 'chain', 'store', 'drift'],
  'app-live.ts': ['config.ts', 'telemetry', 'chain', 'live'],
  'app-history.ts': ['app-history', 'errors', 'ingest', 'services'],
  'app-history': [
    'config.ts',
    'errors',
    'telemetry',
    'chain',
    'store',
    'ingest',
    'services',
    'recorder',
    'time',
    'demo',
    'embedded-history',
  ],
  // What waits until the chain can be read.
  'app-first.ts': ['time', 'chain'],
  'app-others.ts': ['config.ts', 'app-drift.ts', 'telemetry', 'services', 'graphql', 'rest', 'demo'],
  'app-faces.ts': [
    'app-access.ts',
    'app-others.ts',
    'config.ts',
    'app-drift.ts',
    'live',
    'errors',
    'telemetry',
    'chain',
    'services',
    'graphql',
    'rest',
    'hot',
    'demo',
  ],
  // What is behind the faces, beside the chain.
  'app-behind.ts': [
    'app-access.ts',
    'config.ts',
    'app-drift.ts',
    'app-history.ts',
    'app-live.ts',
    'live',
    'telemetry',
    'chain',
    'store',
    'services',
    'demo',
  ],
  'app.ts': [
    'config.ts',
    'app-behind.ts',
    'app-chain.ts',
    'app-faces.ts',
    'app-first.ts',
    'start',
    'time',
    'live',
    'telemetry',
    'chain',
    'graphql',
    'demo',
  ],
  doctor: ['config.ts', 'errors', 'numeric', 'programs', 'chain', 'demo'],
  'doctor.ts': ['doctor'],
  // A client of a gateway of its own; sending and confirming need the RPC itself.
  'programs-check': ['app.ts', 'config.ts', 'errors', 'numeric', 'programs', 'chain', 'graphql'],
  'programs-check.ts': ['errors', 'programs-check'],
  'recorder-command': [
    'config.ts',
    'app-chain.ts',
    'app-history.ts',
    'errors',
    'telemetry',
    'chain',
    'store',
    'ingest',
    'recorder',
  ],
  'recorder.ts': ['config.ts', 'errors', 'recorder-command'],
  // A client of another deployment that fills the store.
  'import-history': ['config.ts', 'app-history.ts', 'errors', 'time', 'numeric', 'store'],
  'import-history.ts': ['config.ts', 'errors', 'import-history'],
  'keys-command': ['config.ts', 'errors', 'limits'],
  'keys.ts': ['config.ts', 'errors', 'keys-command'],
  'healthcheck.ts': ['config.ts'],
  'http-server.ts': ['app.ts'],
  // What the build makes of `main.ts` is run by it.
  'compiled-main.ts': ['start'],
  'main.ts': ['config.ts', 'app.ts', 'http-server.ts', 'errors', 'start', 'telemetry'],
};

/** Entry points of the demo are processes of their own. */
const ENTRY_POINTS: Readonly<Record<string, readonly string[]>> = {
  'demo/main.ts': ['config.ts'],
};

const PURE = ['errors', 'numeric', 'programs', 'domain', 'builders'];
/** No network, no files, no clock from the system: hashing is the one thing of Node's that pure code needs. */
const PURE_MAY_USE = ['node:crypto'];

const root = fileURLToPath(new URL('../../src/', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.startsWith('store/generated/'));

function importsOf(file: string): string[] {
  const source = readFileSync(`${root}${file}`, 'utf8');
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

/** Modules that are loaded along with one: what is imported at the top, for more than its types. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const source = readFileSync(`${root}${file}`, 'utf8');
  for (const [, names = '', specifier = ''] of source.matchAll(/^import (?!type )(.*?)\s*'([^']+)';$/gms)) {
    const values = names.replaceAll(/\btype \w+(?: as \w+)?/g, '');
    if (names.includes('{') && !/\w/.test(values.replace(/\bfrom$/, ''))) continue;
    if (specifier.startsWith('.'))
      loadedWith(posix.normalize(posix.join(posix.dirname(file), specifier)), found);
    else found.add(specifier);
  }
  return found;
}

const roomOf = (file: string) => file.split('/')[0] ?? '';

describe('imports', () => {
  it('reads the source tree', () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it.each(files)('%s points the right way', (file) => {
    const room = roomOf(file);
    const allowed = [...(MAY_IMPORT[room] ?? []), ...(ENTRY_POINTS[file] ?? []), room];
    expect(MAY_IMPORT[room], `no rule for ${room}: add it to the picture first`).toBeDefined();
    for (const specifier of importsOf(file).filter((each) => each.startsWith('.'))) {
      expect(specifier, 'imports name their file').toMatch(/\.ts$/);
      const target = posix.normalize(posix.join(posix.dirname(file), specifier));
      expect(allowed, `${file} imports ${target}`).toContain(roomOf(target));
    }
  });

  it.each(files.filter((file) => PURE.includes(roomOf(file))))('%s does no I/O', (file) => {
    const used = importsOf(file).filter((each) => each.startsWith('node:'));
    expect(used.filter((each) => !PURE_MAY_USE.includes(each))).toEqual([]);
  });

  it('only the chain speaks RPC and only the store speaks Prisma', () => {
    for (const file of files) {
      const room = roomOf(file);
      const packages = importsOf(file);
      if (room !== 'store') expect(packages.filter((each) => each.includes('prisma'))).toEqual([]);
      if (room !== 'chain')
        expect(packages.filter((each) => /^@solana\/(rpc|kit\/rpc)/.test(each))).toEqual([]);
    }
  });

  /** As a gateway over an RPC loads them, until it has answered the graph. */
  it.each([
    'main.ts',
    'app-behind.ts',
    'graphql/types.ts',
    'graphql/schema.ts',
    'app-faces.ts',
    'http-server.ts',
  ])('a start that loads %s waits for no library that only other faces, files and databases need', (file) => {
    const loaded = [...loadedWith(file)];
    expect(loaded.length).toBeGreaterThan(1);
    expect(
      loaded.filter((each) => /^(?:zod|@hono\/zod-openapi|hono|pg|ioredis|.*prisma.*)$/.test(each)),
    ).toEqual([]);
  });

  it('the chain is asked before what answers is loaded', () => {
    const rooms = new Set([...loadedWith('main.ts')].map(roomOf));
    for (const room of ['graphql', 'rest', 'hot', 'services', 'live', 'limits'])
      expect(rooms).not.toContain(room);
  });
});
