import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** Writes `dist` of the package in the working directory: ES modules and their types, by its tsconfig.build.json. */
const DIST = new URL('dist/', pathToFileURL(`${process.cwd()}/`));

rmSync(DIST, { recursive: true, force: true });
// By its path: `typescript-native` has a command of the same name.
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });

// The compiler rewrites extensions in modules, but not in declarations.
for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = new URL(name, DIST);
  const types = readFileSync(file, 'utf8');
  writeFileSync(file, types.replaceAll(/(["'])(\.{1,2}\/[^"']+?)(?<!\.d)\.tsx?\1/g, '$1$2.js$1'));
}
