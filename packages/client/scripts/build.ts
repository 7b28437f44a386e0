import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/** Writes `dist`: ES modules and their types. npm has put the two programs on the path. */
const DIST = new URL('../dist/', import.meta.url);
const SCHEMA_TYPES = new URL('../src/graphql-env.d.ts', import.meta.url);

rmSync(DIST, { recursive: true, force: true });
execFileSync('gql.tada', ['generate-output'], { stdio: 'inherit' });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });

// The compiler rewrites extensions in modules, but not in declarations.
for (const name of readdirSync(DIST, { recursive: true, encoding: 'utf8' })) {
  if (!name.endsWith('.d.ts')) continue;
  const file = new URL(name, DIST);
  const types = readFileSync(file, 'utf8');
  writeFileSync(file, types.replaceAll(/(["'])(\.{1,2}\/[^"']+?)(?<!\.d)\.tsx?\1/g, '$1$2.js$1'));
}

// The compiler does not copy declarations. Without its last part, which would give every document that an application
// writes with gql.tada the types of this schema.
const [types = ''] = readFileSync(SCHEMA_TYPES, 'utf8').split("import * as gqlTada from 'gql.tada';");
writeFileSync(new URL('graphql-env.d.ts', DIST), types);
