import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PACKAGE_FOLDER } from '../../node/package-files.ts';

const MODULES = new URL('node_modules/', PACKAGE_FOLDER);

/**
 * Path of the archive of an empty database for the installed PGlite, which `scripts/empty-database.mjs` creates after
 * installation. Without it, the first start creates the database, which takes seconds on both cores.
 */
export async function emptyDatabase(): Promise<string | undefined> {
  try {
    const manifest = await readFile(new URL('@electric-sql/pglite/package.json', MODULES), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    return fileURLToPath(new URL(`.cache/sluice/pglite-${version}.tar`, MODULES));
  } catch {
    // The packages are installed elsewhere: start without the archive.
    return undefined;
  }
}
