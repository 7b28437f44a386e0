import { cp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { build as buildPage } from 'vite';
import { compressFiles } from './compress-files.ts';
import { ENTRY_POINTS } from './entry-points.ts';

/**
 * Builds the gateway and the explorer. Bundles each entry point into `dist`; code that several of them share goes to
 * `dist/chunks`. Node links a few large files about three times as fast as a thousand small ones. Types are checked by
 * `npm run check`.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = `${ROOT}dist`;

/** Packages that read their own files at run time, or are large and rarely needed. */
const EXTERNAL = [
  '@electric-sql/pglite',
  '@graphql-yoga/render-graphiql',
  '@prisma/client/runtime/*.wasm-base64.mjs',
  'swagger-ui-dist',
];

/** CommonJS packages inside an ES bundle load Node's modules with `require`. */
const DEFINE_REQUIRE = `import { createRequire as requireOfModule } from 'node:module';
const require = requireOfModule(import.meta.url);`;

/** The gateway, then everything else. Each group splits what its members share: the gateway, alone, into half as many files. */
const GROUPS = [['main'], Object.keys(ENTRY_POINTS).filter((out) => out !== 'main')];

await rm(DIST, { recursive: true, force: true });
for (const group of GROUPS) await bundle(group);

for (const folder of ['graphql/examples', 'graphql/graphiql', 'mcp/documents']) {
  await cp(`${ROOT}src/${folder}`, `${DIST}/${folder}`, {
    recursive: true,
    filter: (source) => !source.endsWith('.ts'),
  });
}
await buildPage({ root: `${ROOT}packages/explorer`, logLevel: 'warn' });
await compressFiles(`${DIST}/prepared`);
// Written last: `npm start` uses the build only if this file is newer than every source.
await writeFile(`${DIST}/built`, '');

async function bundle(entryPoints: readonly string[]): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: entryPoints.map((out) => ({ in: `src/${ENTRY_POINTS[out]}.ts`, out })),
    outdir: DIST,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    conditions: ['@sluice/source'],
    target: 'node20',
    // Prefers the ES build of a package, so that `graphql` is bundled once: two copies reject each other's types.
    mainFields: ['module', 'main'],
    // Lets graphql skip its development-only checks whatever the environment says.
    define: { 'process.env.NODE_ENV': '"production"' },
    external: EXTERNAL,
    banner: { js: DEFINE_REQUIRE },
    sourcemap: true,
    sourcesContent: false,
    legalComments: 'none',
    // Node parses a quarter fewer bytes before the first answer. Names stay, and a line of a stack trace stays short
    // enough to be looked up in the source map.
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 200,
    logLevel: 'warning',
  });
}
