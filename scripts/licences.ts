import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import {
  ALLOWED_LICENCES,
  dependencyProblems,
  INSTALL_SCRIPTS,
  LICENCE_EXCEPTIONS,
  SILENCED,
} from './dependency-rules.ts';

/**
 * Writes the tables of licences in docs/dependencies.md: of the installed packages that the gateway needs, and of those
 * that the build of the explorer contains, and what the rules of scripts/dependency-rules.ts make exceptions for. With
 * `--check`, fails if a table is out of date. Always fails on a violation of these rules.
 */
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

const projectJson = (name: string): unknown => JSON.parse(readFileSync(new URL(name, ROOT), 'utf8'));

/** The packages that scripts/image.sh leaves: those that the gateway needs, not those of the workspaces. */
function installed(): Dependency[] {
  const { packages } = Lock.parse(projectJson('package-lock.json'));
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

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const lines = [...new Set(rows.map(line))].sort();
  return ['', line(head), `|${'---|'.repeat(head.length)}`, ...lines, ''].join('\n');
}

const licenceTable = (dependencies: readonly Dependency[]): string =>
  table(
    ['Package', 'Version', 'Licence'],
    dependencies.map(({ name, version, license }) => [name, version, license]),
  );

const exceptionTable = (): string =>
  table(
    ['Package', 'Licence', 'Why it is accepted'],
    [...LICENCE_EXCEPTIONS].map(([name, { licence, reason }]) => [name, licence, reason]),
  );

const scriptTable = (): string =>
  table(
    ['Package', 'Runs', 'Why'],
    [...INSTALL_SCRIPTS].map(([name, { allowed, reason }]) => [
      name,
      allowed === null ? 'no' : `in ${allowed}`,
      reason,
    ]),
  );

const silencedTable = (): string =>
  table(
    ['Package', 'Silenced by'],
    [...SILENCED].map((row) => [...row]),
  );

function withTable(page: string, name: string, text: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(open), page.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`${PAGE} has no markers ${open}`);
  return `${page.slice(0, from + open.length)}${text}${page.slice(to)}`;
}

const [ofGateway, ofExplorer] = [installed(), bundled()];
const problems = [
  ...dependencyProblems(projectJson('package-lock.json'), projectJson('package.json')),
  // Dependencies that are shipped need no exception.
  ...[...ofGateway, ...ofExplorer]
    .filter(({ license }) => !ALLOWED_LICENCES.has(license))
    .map(({ name, version, license }) => `${name} ${version} is shipped and has the licence ${license}`),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
const page = readFileSync(PAGE, 'utf8');
let written = withTable(page, 'licences', licenceTable(ofGateway));
written = withTable(written, 'explorer-licences', licenceTable(ofExplorer));
written = withTable(written, 'licence-exceptions', exceptionTable());
written = withTable(written, 'install-scripts', scriptTable());
written = withTable(written, 'silenced', silencedTable());
if (!process.argv.includes('--check')) writeFileSync(PAGE, written);
else if (written !== page)
  process.stderr.write('docs/dependencies.md is out of date: run `npm run licences`\n');
if (problems.length > 0 || (process.argv.includes('--check') && written !== page)) process.exitCode = 1;
