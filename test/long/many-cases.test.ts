import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** All suites of random cases that are short in `npm test`: those that ask `cases` how many. */
process.env.MANY_CASES = '1';

const ROOT = join(import.meta.dirname, '../..');
const packages = readdirSync(join(ROOT, 'packages')).map((name) => join('packages', name));

const suites = ['', ...packages].flatMap((part) => {
  const folder = join(ROOT, part, 'test');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(folder, file))
    .filter((file) => /from '[^']*support\/cases\.ts'/.test(readFileSync(file, 'utf8')));
});
for (const file of suites.sort()) await import(pathToFileURL(file).href);
