// Makes an archive of an empty database of the installed PGlite, from which the first start of an embedded gateway makes its
// own within a second or two. Runs after every npm install; what fails here costs only that first start some seconds.
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
    `pglite: no empty database was prepared (${error.message}); a first start makes it.\n`,
  );
}
