import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

/**
 * Folders that each folder may import besides itself. A folder without a row follows its parent. A subfolder with a row may
 * import what its parent may, and the folders in its own row; naming a folder permits its subfolders. The order is the
 * architecture: imports point one way.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  '@sluice/protocol': [],
  '@sluice/localnet': ['@sluice/protocol'],
  '@sluice/graphql-executor': [],
  '@sluice/rpc-pool': ['@sluice/protocol'],
  errors: ['@sluice/protocol', '@sluice/rpc-pool'],
  node: ['@sluice/rpc-pool', 'errors'],
  config: ['@sluice/protocol', 'errors', 'node'],
  'config/catalogue': [],
  telemetry: ['errors'],
  domain: ['@sluice/protocol', 'errors'],
  builders: ['@sluice/protocol', 'errors', 'domain'],
  chain: ['@sluice/protocol', '@sluice/rpc-pool', 'errors', 'node', 'domain'],
  'chain/relay': [],
  'chain/transactions': [],
  'chain/cluster': [],
  'chain/view': ['chain/accounts', 'chain/positions'],
  'chain/positions': ['chain/accounts'],
  'chain/accounts': [],
  'chain/sources': ['chain/accounts', 'chain/positions', 'chain/view'],
  'chain/session': ['chain/accounts', 'chain/cluster', 'chain/positions', 'chain/view'],
  feed: ['@sluice/protocol', 'errors', 'node', 'chain'],
  store: ['@sluice/protocol', 'errors', 'node', 'domain'],
  quotes: ['@sluice/protocol', 'errors', 'node'],
  ingest: ['@sluice/protocol', '@sluice/rpc-pool', 'errors', 'node', 'domain', 'chain', 'store'],
  services: [
    '@sluice/protocol',
    'errors',
    'node',
    'config/catalogue',
    'domain',
    'builders',
    'chain',
    'store',
    'ingest',
    'quotes',
  ],
  'services/obligation-index': [],
  'services/request': [],
  'services/paging': ['services/request'],
  'services/sending': ['services/request'],
  'services/tokens': ['services/paging', 'services/request'],
  'services/farms': ['services/request', 'services/tokens'],
  'services/markets': ['services/paging', 'services/request', 'services/reserves', 'services/tokens'],
  'services/platform': [
    'services/obligation-index',
    'services/request',
    'services/sending',
    'services/tokens',
  ],
  'services/reserves': ['services/farms', 'services/paging', 'services/request', 'services/tokens'],
  'services/wallets': [
    'services/farms',
    'services/obligations',
    'services/request',
    'services/reserves',
    'services/tokens',
    'services/vaults',
  ],
  'services/obligations': [
    'services/markets',
    'services/obligation-index',
    'services/paging',
    'services/platform',
    'services/request',
    'services/reserves',
    'services/tokens',
  ],
  'services/vaults': [
    'services/farms',
    'services/markets',
    'services/paging',
    'services/platform',
    'services/request',
    'services/reserves',
    'services/tokens',
  ],
  'services/builds': [
    'services/markets',
    'services/platform',
    'services/request',
    'services/reserves',
    'services/sending',
    'services/tokens',
    'services/vaults',
    'services/wallets',
  ],
  'services/curators': [
    'services/history',
    'services/markets',
    'services/paging',
    'services/platform',
    'services/request',
    'services/risk',
    'services/tokens',
    'services/vaults',
  ],
  'services/risk': [
    'services/history',
    'services/markets',
    'services/obligation-index',
    'services/obligations',
    'services/platform',
    'services/request',
    'services/reserves',
    'services/tokens',
    'services/vaults',
    'services/wallets',
  ],
  'services/explain': [
    'services/builds',
    'services/markets',
    'services/request',
    'services/risk',
    'services/sending',
    'services/tokens',
    'services/vaults',
    'services/wallets',
  ],
  'services/rewards': [
    'services/farms',
    'services/history',
    'services/obligations',
    'services/platform',
    'services/request',
    'services/reserves',
    'services/tokens',
    'services/vaults',
    'services/wallets',
  ],
  'services/history': [
    'services/farms',
    'services/markets',
    'services/obligations',
    'services/paging',
    'services/platform',
    'services/request',
    'services/reserves',
    'services/tokens',
    'services/vaults',
    'services/wallets',
  ],
  alerts: ['@sluice/protocol', 'errors', 'node', 'domain', 'chain', 'store', 'services'],
  live: ['@sluice/protocol', 'errors', 'node', 'domain', 'chain', 'services'],
  limits: ['errors', 'node', 'telemetry', 'store', 'http'],
  http: ['errors', 'node', 'telemetry'],
  graphql: [
    '@sluice/protocol',
    '@sluice/graphql-executor',
    'errors',
    'node',
    'domain',
    'telemetry',
    'services',
    'alerts',
    'live',
    'http',
  ],
  rest: ['@sluice/protocol', 'errors', 'node', 'domain', 'telemetry', 'services', 'http'],
  // Executes documents of the GraphQL API, which it gets from the composition root.
  mcp: ['errors', 'node', 'services', 'http'],
  recorder: [
    '@sluice/protocol',
    'errors',
    'node',
    'config/catalogue',
    'domain',
    'chain',
    'store',
    'services',
  ],
  drift: ['@sluice/protocol', 'errors', 'node', 'config/catalogue', 'domain', 'chain', 'store', 'services'],
  app: [
    '@sluice/protocol',
    '@sluice/rpc-pool',
    '@sluice/localnet',
    'config',
    'errors',
    'node',
    'telemetry',
    'chain',
    'feed',
    'store',
    'ingest',
    'quotes',
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
  ],
  'app/seed-history': [],
  // Shared by all commands.
  cli: ['errors', 'node'],
  'cli/alerts': ['@sluice/protocol', 'app', 'config', 'alerts', 'store'],
  // Reads another deployment, for the commands that import from one.
  'cli/deployment': ['@sluice/protocol'],
  'cli/doctor': [
    '@sluice/protocol',
    '@sluice/rpc-pool',
    '@sluice/localnet',
    'config',
    'chain',
    'feed',
    'store',
  ],
  'cli/dump': ['@sluice/protocol', '@sluice/rpc-pool', 'config', 'domain', 'chain'],
  'cli/healthcheck': ['config'],
  'cli/import-catalogue': ['cli/deployment', '@sluice/protocol', 'config/catalogue'],
  'cli/import-history': ['cli/deployment', '@sluice/protocol', 'app', 'config', 'store'],
  'cli/keys': ['config', 'limits'],
  'cli/mcp': ['config', 'graphql', 'mcp'],
  // Starts a gateway and acts as its client; sending and confirming use the RPC directly.
  'cli/programs-check': [
    '@sluice/protocol',
    '@sluice/rpc-pool',
    'app',
    'config',
    'chain',
    'graphql',
    'builders',
  ],
  'cli/recorder': ['app', 'config', 'telemetry', 'chain', 'store', 'ingest', 'recorder'],
  // src/main.ts.
  '.': ['app', 'node'],
};

const PACKAGES = ['protocol', 'localnet', 'graphql-executor', 'rpc-pool'];
/** Modules outside the repository that a folder is limited to. Pure code has no network, files or system clock. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  '@sluice/protocol': ['@solana/kit', 'lru-cache', 'node:crypto'],
  '@sluice/graphql-executor': ['graphql'],
};
const PURE = ['errors', 'domain', 'builders'];
const PURE_MAY_USE = ['node:crypto'];

const repository = fileURLToPath(new URL('../../', import.meta.url));

interface SourceFile {
  /** Below `src`, or below the sources of a package with its name in front: `@sluice/protocol/klend/reserve.ts`. */
  readonly name: string;
  readonly text: string;
}

function sourcesIn(folder: string, prefix: string): SourceFile[] {
  return readdirSync(`${repository}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.ts') && !file.startsWith('store/generated/'))
    .map((file) => ({ name: prefix + file, text: readFileSync(`${repository}${folder}/${file}`, 'utf8') }));
}

const files = [
  ...sourcesIn('src', ''),
  ...PACKAGES.flatMap((each) => sourcesIn(`packages/${each}/src`, `@sluice/${each}/`)),
];
const textOf = new Map(files.map(({ name, text }) => [name, text]));

/** The file that an import names, or the module if it is outside the repository. */
function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const [, name, rest = 'index'] = /^(@sluice\/[\w-]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  return name === undefined ? specifier : `${name}/${rest}.ts`;
}

function importsOf({ name, text }: SourceFile): string[] {
  const imports = text.matchAll(/^(?:import|export)(?:[^;']*? from)? '([^']+)';|\bimport\(\s*'([^']+)'/gm);
  return [...imports].map(([, named, loaded]) => targetOf(name, named ?? loaded ?? ''));
}

/** Modules that load with a file: its transitive static imports, without type-only ones. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = (textOf.get(file) ?? '').matchAll(/^import (?!type )(.*?)\s*'([^']+)';$/gms);
  for (const [, names = '', specifier = ''] of imports) {
    const values = names.replaceAll(/\btype \w+(?: as \w+)?/g, '');
    if (names.includes('{') && !/\w/.test(values.replace(/\bfrom$/, ''))) continue;
    loadedWith(targetOf(file, specifier), found);
  }
  return found;
}

/** A folder and those above it, up to the first part of its name. */
function withParents(folder: string): string[] {
  const parent = posix.dirname(folder);
  return parent === '.' || parent === '@sluice' ? [folder] : [folder, ...withParents(parent)];
}

const rowsOf = (file: string) => withParents(posix.dirname(file)).filter((each) => each in MAY_IMPORT);

/** The folder whose row governs a file: the deepest one that has a row. */
const folderOf = (file: string): string => rowsOf(file)[0] ?? '.';

function isAllowed(file: string, target: string): boolean {
  const [own = '.', ...parents] = rowsOf(file);
  const allowed = [own, ...parents].flatMap((folder) => MAY_IMPORT[folder] ?? []);
  // A subfolder with a row names its siblings one by one; the loose files of its parent are open to it.
  const targets = withParents(posix.dirname(target)).filter((each) => each in MAY_IMPORT);
  const isOfParent = parents.includes(targets[0] ?? '');
  return targets[0] === own || isOfParent || targets.some((each) => [own, ...allowed].includes(each));
}

describe('imports', () => {
  it('point one way, from folder to folder', () => {
    const offences = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => textOf.has(target) && !isAllowed(file.name, target))
        .map((target) => `${file.name} imports ${target}`),
    );
    const missing = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => /^[\w@-]+\//.test(target) && target.endsWith('.ts') && !textOf.has(target))
        .filter((target) => !target.startsWith('store/generated/'))
        .map((target) => `${file.name} imports ${target}, which does not exist`),
    );
    const folders = new Set(files.flatMap(({ name }) => rowsOf(name)));
    const unused = Object.keys(MAY_IMPORT).filter((each) => each !== '.' && !folders.has(each));
    const unknown = Object.values(MAY_IMPORT)
      .flat()
      .filter((each) => !(each in MAY_IMPORT));
    const mutual = Object.entries(MAY_IMPORT).flatMap(([from, targets]) =>
      targets
        .filter((to) => MAY_IMPORT[to]?.includes(from))
        .map((to) => `${from} and ${to} import each other`),
    );
    expect({ offences, missing, unused, unknown, mutual }).toEqual({
      offences: [],
      missing: [],
      unused: [],
      unknown: [],
      mutual: [],
    });
    expect(files.length).toBeGreaterThan(1_000);
  });

  it('leave I/O to the folders that do it', () => {
    const offences = files.flatMap((file) => {
      const folder = folderOf(file.name);
      const modules = importsOf(file).filter((each) => !textOf.has(each) && !each.endsWith('.ts'));
      const refused = modules.filter((each) => {
        const limited = MAY_USE[folder];
        if (limited !== undefined) return !limited.includes(each);
        if (PURE.includes(folder)) return each.startsWith('node:') && !PURE_MAY_USE.includes(each);
        if (each.includes('prisma')) return folder.split('/')[0] !== 'store';
        return /^@solana\/(rpc|kit\/rpc)/.test(each) && folder.split('/')[0] !== 'chain';
      });
      return refused.map((each) => `${file.name} uses ${each}`);
    });
    expect(offences).toEqual([]);
  });

  it('let a gateway read the chain before it loads the request handlers', () => {
    const loaded = new Set([...loadedWith('app/run-gateway.ts')].map((file) => file.split('/')[0]));
    expect(loaded).toContain('chain');
    for (const folder of ['graphql', 'rest', 'services', 'live', 'limits'])
      expect(loaded).not.toContain(folder);
  });
});
