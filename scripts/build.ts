import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { compileAhead } from './compile-ahead.ts';
import { ENTRY_POINTS } from './entry-points.ts';

/**
 * Built code is a few large files: node finds, reads and links a thousand small ones three times slower, and most of a
 * start is that. Names and lines stay readable; types are `npm run check`'s affair. What two entry
 * points share is in `dist/chunks`. The gateway is one file of its own, with what V8 makes of it beside it.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = `${ROOT}dist`;
const GATEWAY = `${DIST}/compiled/main.js`;

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

const USUAL: BuildOptions = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // One copy of a package that has itself in both kinds: two of graphql would not know each other's types.
  mainFields: ['module', 'main'],
  external: LEFT_IN_PACKAGES,
  plugins: [withoutTranslations],
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
await build({
  ...USUAL,
  entryPoints: ['src/main.ts'],
  outfile: GATEWAY,
  format: 'cjs',
  // As `src/files/compiled.ts` calls it.
  banner: { js: '(function (require, moduleUrl) {' },
  footer: { js: '})' },
  define: { 'import.meta.url': 'moduleUrl' },
  // Code from a compiled form cannot `import`: node knows no module that it belongs to.
  supported: { 'dynamic-import': false },
});
await writeFile(GATEWAY, withPlainComments(await readFile(GATEWAY, 'utf8')));
await cp(`${ROOT}src/graphql/examples`, `${DIST}/graphql/examples`, { recursive: true });
await compileAhead();

/** All else is ASCII already, which takes half the memory of other text and no decoding. */
function withPlainComments(code: string): string {
  return code.replaceAll(/^ *\/\/.*$/gm, (comment) => comment.replaceAll(/[^\x20-\x7e]/g, '?'));
}
