// Archives an empty PGlite database, which the first start of an embedded gateway copies instead of creating one. Runs after
// every npm install. A failure only makes that first start some seconds slower.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';

const modules = new URL('../node_modules/', import.meta.url);

try {
  const manifest = await readFile(new URL('@electric-sql/pglite/package.json', modules), 'utf8');
  const cache = new URL('.cache/sluice/', modules);
  const archive = new URL(`pglite-${JSON.parse(manifest).version}.tar`, cache);
  if (!existsSync(archive)) {
    const { PGlite } = await import('@electric-sql/pglite');
    const database = await PGlite.create('memory://');
    const dump = await database.dumpDataDir('none');
    await mkdir(cache, { recursive: true });
    const unfinished = new URL(`${archive.href}.${process.pid}`);
    await writeFile(unfinished, Buffer.from(await dump.arrayBuffer()));
    await rename(unfinished, archive);
    await database.close();
  }
} catch (error) {
  process.stdout.write(
    `pglite: no empty database was prepared (${error.message}); the first start creates it.\n`,
  );
}
