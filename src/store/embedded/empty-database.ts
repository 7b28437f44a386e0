import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PACKAGE_FOLDER } from '../../node/package-files.ts';

const MODULES = new URL('node_modules/', PACKAGE_FOLDER);

/**
 * Where an archive of an empty database of the installed PGlite is, if there is one: `scripts/empty-database.mjs` makes
 * it when packages are installed. Without it a first start makes the database itself, which takes seconds of both cores.
 */
export async function emptyDatabase(): Promise<string | undefined> {
  try {
    const manifest = await readFile(new URL('@electric-sql/pglite/package.json', MODULES), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    return fileURLToPath(new URL(`.cache/sluice/pglite-${version}.tar`, MODULES));
  } catch {
    // Packages that lie elsewhere are none of our business: it works without.
    return undefined;
  }
}
