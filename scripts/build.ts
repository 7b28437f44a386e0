import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { compileAhead } from './compile-ahead.ts';
import { compiledParts } from './compiled-parts.ts';
import { ENTRY_POINTS } from './entry-points.ts';

/**
 * Built code is a few large files: node finds, reads and links a thousand small ones three times slower, and most of a
 * start is that. Names and lines stay readable; types are `npm run check`'s affair. What two entry
 * points share is in `dist/chunks`. The gateway has a folder of its own, with what V8 makes of each file beside it.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = `${ROOT}dist`;
const COMPILED = `${DIST}/compiled`;

/** They read files of their own packages, or are large and rarely wanted. */
const LEFT_IN_PACKAGES = [
  '@electric-sql/pglite',
  '@graphql-yoga/render-graphiql',
  '@prisma/client/runtime/*.wasm-base64.mjs',
  'swagger-ui-dist',
];

/** Packages of the older kind ask for modules of node by `require`. */
const REQUIRE = `import { createRequire as requireOfModule } from 'node:module';
const require = requireOfModule(import.meta.url);`;

/** Fifty languages of messages that we do not show; English is imported by itself. */
const withoutTranslations: Plugin = {
  name: 'without-translations',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: 'export {};' }));
  },
};

/** Whether there are two copies of graphql is asked of every object, unless `NODE_ENV` says that nobody develops here. */
const oneGraphql: Plugin = {
  name: 'one-graphql',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]graphql[\\/]jsutils[\\/]instanceOf\.mjs$/ }, () => ({
      contents: 'export const instanceOf = (value, constructor) => value instanceof constructor;',
    }));
  },
};

/** The server library could speak HTTP/2, which node would load for it at every start. Nobody here does. */
const withoutHttp2: Plugin = {
  name: 'without-http2',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:http2$/ }, ({ path }) => ({ path, namespace: 'without-http2' }));
    onLoad({ filter: /./, namespace: 'without-http2' }, () => ({
      contents: 'export class Http2ServerRequest {} export const constants = {};',
    }));
  },
};

const USUAL: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // One copy of a package that has itself in both kinds: two of graphql would not know each other's types.
  mainFields: ['module', 'main'],
  external: LEFT_IN_PACKAGES,
  plugins: [withoutTranslations, oneGraphql, withoutHttp2],
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  logLevel: 'warning',
};

await rm(DIST, { recursive: true, force: true });
await build({
  ...USUAL,
  entryPoints: ENTRY_POINTS.map((name) => ({
    in: name === 'main' ? 'src/compiled-main.ts' : `src/${name}.ts`,
    out: name,
  })),
  outdir: DIST,
  chunkNames: 'chunks/[name]-[hash]',
  splitting: true,
  format: 'esm',
  banner: { js: REQUIRE },
});
const { outputFiles } = await build({
  ...USUAL,
  entryPoints: { main: 'src/main.ts' },
  outdir: COMPILED,
  chunkNames: '[name]-[hash]',
  splitting: true,
  format: 'esm',
  sourcemap: 'inline',
  write: false,
});
await mkdir(COMPILED);
for (const { name, code, map } of await compiledParts(
  outputFiles.map(({ path, text }) => ({ name: `./${basename(path)}`, code: text })),
)) {
  await writeFile(join(COMPILED, name), code);
  await writeFile(join(COMPILED, `${name}.map`), map);
}
await cp(`${ROOT}src/graphql/examples`, `${DIST}/graphql/examples`, { recursive: true });
await compileAhead();
// The last: `npm start` looks whether it is there, and younger than the sources.
await writeFile(`${DIST}/built`, '');
