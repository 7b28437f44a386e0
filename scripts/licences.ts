import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/**
 * Writes the table of licences in docs/dependencies.md from the installed packages. With `--check`, fails if the table is
 * out of date. Always fails on a licence that is not allowed.
 */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
]);
const [OPEN, CLOSE] = ['<!-- licences -->', '<!-- /licences -->'];

const ROOT = new URL('../', import.meta.url);
const PAGE = fileURLToPath(new URL('docs/dependencies.md', ROOT));

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});
const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string().default('none') });

interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** The packages that `npm prune --omit=dev --omit=optional` leaves. */
function production(): Dependency[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(new URL('package-lock.json', ROOT), 'utf8')));
  const found = new Map<string, Dependency>();
  for (const [path, { dev, optional, devOptional }] of Object.entries(packages)) {
    if (path === '' || dev || optional || devOptional) continue;
    const manifest = Manifest.parse(JSON.parse(readFileSync(new URL(`${path}/package.json`, ROOT), 'utf8')));
    found.set(`${manifest.name}@${manifest.version}`, manifest);
  }
  return [...found.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

const dependencies = production();
const refused = dependencies.filter(({ license }) => !ALLOWED.has(license));
for (const { name, version, license } of refused) {
  process.stderr.write(`${name} ${version} has the licence ${license}, which is not allowed\n`);
}
const rows = dependencies.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`);
const table = ['', '| Package | Version | Licence |', '|---|---|---|', ...rows, ''].join('\n');
const page = readFileSync(PAGE, 'utf8');
const [from, to] = [page.indexOf(OPEN), page.indexOf(CLOSE)];
if (from < 0 || to < from) throw new Error(`${PAGE} has no markers for the table`);
const written = `${page.slice(0, from + OPEN.length)}${table}${page.slice(to)}`;
if (!process.argv.includes('--check')) writeFileSync(PAGE, written);
else if (written !== page)
  process.stderr.write('docs/dependencies.md is out of date: run `npm run licences`\n');
if (refused.length > 0 || (process.argv.includes('--check') && written !== page)) process.exitCode = 1;
