import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * Writes the tables of licences in docs/dependencies.md: of the installed packages that the gateway needs, and of those
 * that the build of the explorer contains. With `--check`, fails if a table is out of date. Always fails on a licence that
 * is not allowed.
 */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  // A dedication to the public domain.
  'Unlicense',
]);

const ROOT = new URL('../', import.meta.url);
const PAGE = fileURLToPath(new URL('docs/dependencies.md', ROOT));
/** Written by the build, with the texts of the licences. */
const BUNDLED = new URL('dist/explorer/licences.json', ROOT);

const Names = z.record(z.string(), z.unknown()).default({});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dependencies: Names,
      peerDependencies: Names,
      peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).default({}),
    }),
  ),
});
type Locked = z.infer<typeof Lock>['packages'];
const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string().default('none') });
const Bundled = z.array(
  z.object({ name: z.string(), version: z.string(), identifier: z.string().default('none') }),
);

interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The packages that scripts/image.sh leaves: those that the gateway needs, not those of the workspaces. */
function installed(): Dependency[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8')));
  const paths = new Set<string>();
  collect(packages, '', paths);
  return [...paths].map((path) =>
    Manifest.parse(JSON.parse(readFileSync(new URL(`${path}/package.json`, ROOT), 'utf8'))),
  );
}

function collect(packages: Locked, path: string, found: Set<string>): void {
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[path] ?? {};
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  for (const name of [...Object.keys(dependencies), ...peers]) {
    const place = placeOf(packages, path, name);
    if (found.has(place)) continue;
    found.add(place);
    collect(packages, place, found);
  }
}

/** Where Node finds a package: the nearest `node_modules` above the one that imports it. */
function placeOf(packages: Locked, path: string, name: string): string {
  const place = `${path === '' ? '' : `${path}/`}node_modules/${name}`;
  if (packages[place] !== undefined) return place;
  if (path === '') throw new Error(`package-lock.json has no ${name}`);
  return placeOf(packages, path.replace(/\/?(?:node_modules\/(?:@[^/]+\/)?[^/]+)$/, ''), name);
}

/** The packages whose code is in the explorer's files. */
function bundled(): Dependency[] {
  if (!existsSync(BUNDLED)) throw new Error('The explorer has not been built: run `npm run build` first.');
  return Bundled.parse(JSON.parse(readFileSync(BUNDLED, 'utf8'))).map(({ identifier, ...manifest }) => ({
    ...manifest,
    license: identifier,
  }));
}

function table(dependencies: readonly Dependency[]): string {
  const rows = [
    ...new Set(dependencies.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`)),
  ].sort();
  return ['', '| Package | Version | Licence |', '|---|---|---|', ...rows, ''].join('\n');
}

function withTable(page: string, name: string, dependencies: readonly Dependency[]): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(open), page.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no markers ${open}`);
  return `${page.slice(0, from + open.length)}${table(dependencies)}${page.slice(to)}`;
}

const [ofGateway, ofExplorer] = [installed(), bundled()];
const refused = [...ofGateway, ...ofExplorer].filter(({ license }) => !ALLOWED.has(license));
for (const { name, version, license } of refused) {
  process.stderr.write(`${name} ${version} has the licence ${license}, which is not allowed\n`);
}
const page = readFileSync(PAGE, 'utf8');
const written = withTable(withTable(page, 'licences', ofGateway), 'explorer-licences', ofExplorer);
if (!process.argv.includes('--check')) writeFileSync(PAGE, written);
else if (written !== page)
  process.stderr.write('docs/dependencies.md is out of date: run `npm run licences`\n');
if (refused.length > 0 || (process.argv.includes('--check') && written !== page)) process.exitCode = 1;
