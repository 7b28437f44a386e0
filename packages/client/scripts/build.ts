import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

/** Writes `dist`: ES modules and their types, with the types of the schema. npm has put the programs on the path. */
const DIST = new URL('../dist/', import.meta.url);
const SCHEMA_TYPES = new URL('../src/graphql-env.d.ts', import.meta.url);

execFileSync('gql.tada', ['generate-output'], { stdio: 'inherit' });
await import('../../../scripts/build-package.ts');

// The compiler does not copy declarations. Without its last part, which would give every document that an application
// writes with gql.tada the types of this schema.
const [types = ''] = readFileSync(SCHEMA_TYPES, 'utf8').split("import * as gqlTada from 'gql.tada';");
writeFileSync(new URL('graphql-env.d.ts', DIST), types);
