import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * What each folder may import besides itself; a subfolder with a row of its own follows that row instead. The order is
 * the architecture: imports point one way.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  node: [],
  numeric: ['errors'],
  programs: ['errors', 'numeric'],
  config: ['errors', 'programs'],
  telemetry: ['errors'],
  domain: ['errors', 'numeric', 'programs'],
  builders: ['errors', 'numeric', 'programs', 'domain'],
  chain: ['errors', 'node', 'numeric', 'programs', 'domain'],
  feed: ['errors', 'node', 'numeric', 'programs', 'chain'],
  store: ['errors', 'node', 'numeric', 'programs', 'domain'],
  ingest: ['errors', 'node', 'numeric', 'programs', 'domain', 'chain', 'store'],
  services: ['errors', 'node', 'numeric', 'programs', 'domain', 'builders', 'chain', 'store', 'ingest'],
  alerts: ['errors', 'node', 'numeric', 'programs', 'domain', 'chain', 'store', 'services'],
  live: ['errors', 'node', 'numeric', 'programs', 'domain', 'chain', 'services'],
  limits: ['errors', 'node', 'telemetry', 'store', 'http'],
  http: ['errors', 'node', 'telemetry'],
  graphql: [
    'graphql/executor',
    'errors',
    'node',
    'numeric',
    'programs',
    'domain',
    'telemetry',
    'services',
    'alerts',
    'live',
    'http',
  ],
  'graphql/executor': [],
  rest: ['errors', 'node', 'numeric', 'programs', 'domain', 'telemetry', 'services', 'http'],
  // Executes documents of the GraphQL API, which it gets from the composition root.
  mcp: ['errors', 'node', 'services', 'http'],
  recorder: ['errors', 'node', 'numeric', 'programs', 'domain', 'chain', 'store', 'services'],
  drift: ['errors', 'numeric', 'programs', 'domain', 'chain', 'store', 'services'],
  demo: ['errors', 'numeric', 'programs'],
  'demo/history': ['node', 'numeric', 'programs', 'chain', 'store', 'services', 'recorder', 'demo'],
  app: [
    'config',
    'errors',
    'node',
    'telemetry',
    'chain',
    'feed',
    'store',
    'ingest',
    'services',
    'alerts',
    'live',
    'limits',
    'http',
    'graphql',
    'rest',
    'mcp',
    'recorder',
    'drift',
    'demo',
    'demo/history',
  ],
  // Shared by all commands.
  cli: ['errors', 'node'],
  'cli/alerts': ['cli', 'app', 'config', 'errors', 'numeric', 'programs', 'alerts', 'store'],
  'cli/demo-rpc': ['cli', 'config', 'errors', 'demo'],
  // Reads another deployment, for the commands that import from one.
  'cli/deployment': ['node', 'numeric'],
  'cli/doctor': ['cli', 'config', 'errors', 'numeric', 'programs', 'chain', 'feed', 'store', 'demo'],
  'cli/dump': ['cli', 'config', 'errors', 'programs', 'domain', 'chain'],
  'cli/healthcheck': ['cli', 'config'],
  'cli/import-catalogue': ['cli', 'cli/deployment', 'programs', 'store'],
  'cli/import-history': ['cli', 'cli/deployment', 'app', 'config', 'errors', 'node', 'numeric', 'store'],
  'cli/keys': ['cli', 'config', 'limits'],
  'cli/mcp': ['cli', 'config', 'errors', 'node', 'graphql', 'mcp'],
  // Starts a gateway and acts as its client; sending and confirming use the RPC directly.
  'cli/programs-check': ['cli', 'app', 'config', 'errors', 'numeric', 'programs', 'chain', 'graphql'],
  'cli/recorder': ['cli', 'app', 'config', 'errors', 'telemetry', 'chain', 'store', 'ingest', 'recorder'],
  // src/main.ts.
  '.': ['app', 'node'],
};

const PURE = ['errors', 'numeric', 'programs', 'domain', 'builders'];
/** No network, files or system clock: hashing is the only Node module that pure code needs. */
const PURE_MAY_USE = ['node:crypto'];

const root = fileURLToPath(new URL('../../src/', import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.startsWith('store/generated/'));

function importsOf(file: string): string[] {
  const source = readFileSync(`${root}${file}`, 'utf8');
  return [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

/** Modules that load with a file: its transitive static imports, without type-only ones. */
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

/** The folder whose row governs a file: the deepest one that has a row. */
function folderOf(file: string): string {
  for (let folder = posix.dirname(file); ; folder = posix.dirname(folder)) {
    if (folder in MAY_IMPORT) return folder;
    if (folder === '.' || folder === '/') return folder;
  }
}

describe('imports', () => {
  it('reads the source tree', () => {
    expect(files.length).toBeGreaterThan(30);
  });

  it.each(files)('%s imports only allowed folders', (file) => {
    const folder = folderOf(file);
    const allowed = [...(MAY_IMPORT[folder] ?? []), folder];
    if (file !== 'main.ts') expect(folder, `no row for ${file}`).not.toBe('.');
    for (const specifier of importsOf(file).filter((each) => each.startsWith('.'))) {
      expect(specifier, 'imports name their file').toMatch(/\.ts$/);
      const target = posix.normalize(posix.join(posix.dirname(file), specifier));
      expect(allowed, `${file} imports ${target}`).toContain(folderOf(target));
    }
  });

  it.each(files.filter((file) => PURE.includes(folderOf(file))))('%s does no I/O', (file) => {
    const used = importsOf(file).filter((each) => each.startsWith('node:'));
    expect(used.filter((each) => !PURE_MAY_USE.includes(each))).toEqual([]);
  });

  it('only the chain speaks RPC and only the store speaks Prisma', () => {
    for (const file of files) {
      const folder = folderOf(file);
      const packages = importsOf(file);
      if (folder !== 'store') expect(packages.filter((each) => each.includes('prisma'))).toEqual([]);
      if (folder !== 'chain')
        expect(packages.filter((each) => /^@solana\/(rpc|kit\/rpc)/.test(each))).toEqual([]);
    }
  });

  it('the executor imports the graphql package alone', () => {
    const executor = files.filter((file) => folderOf(file) === 'graphql/executor');
    const packages = executor.flatMap(importsOf).filter((each) => !each.startsWith('.'));
    expect(executor.length).toBeGreaterThan(0);
    expect([...new Set(packages)]).toEqual(['graphql']);
  });

  it('every row names folders that exist', () => {
    const folders = new Set(files.map(folderOf));
    expect(Object.keys(MAY_IMPORT).filter((each) => !folders.has(each))).toEqual([]);
    const named = Object.values(MAY_IMPORT).flat();
    expect(named.filter((each) => !(each in MAY_IMPORT))).toEqual([]);
  });

  it('a gateway starts reading the chain before it loads the request handlers', () => {
    const loaded = new Set([...loadedWith('app/run-gateway.ts')].map(folderOf));
    for (const folder of ['graphql', 'rest', 'services', 'live', 'limits'])
      expect(loaded).not.toContain(folder);
  });
});
