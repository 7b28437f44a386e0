import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { build, type InlineConfig, type Rollup } from 'vite';

/**
 * Builds the vault list of packages/client/examples/vite-react and prints what a browser loads for it, in all and without
 * the libraries that most pages have already.
 */
const ROOT = fileURLToPath(new URL('../packages/client/examples/vite-react', import.meta.url));
const LIBRARIES = /^(react|react-dom|@tanstack\/react-query)(\/|$)/;

async function scriptOf(external: InlineConfig): Promise<Buffer> {
  const built = (await build({
    root: ROOT,
    logLevel: 'error',
    ...external,
    build: { ...external.build, write: false },
  })) as Rollup.RollupOutput;
  const chunks = built.output.flatMap((file) => (file.type === 'chunk' ? [file.code] : []));
  return Buffer.from(chunks.join('\n'));
}

function row(name: string, script: Buffer): string {
  const sizes = [script.length, gzipSync(script, { level: 9 }).length, brotliCompressSync(script).length];
  return `${name.padEnd(44)}${sizes.map((bytes) => bytes.toLocaleString('en').padStart(10)).join('')}\n`;
}

const page = await scriptOf({});
const own = await scriptOf({ build: { rollupOptions: { external: LIBRARIES } } });
process.stdout.write(
  `${'bytes of script'.padEnd(44)}${['raw', 'gzip', 'brotli'].map((name) => name.padStart(10)).join('')}\n`,
);
process.stdout.write(row('vault list', page));
process.stdout.write(row('without react, react-dom and TanStack Query', own));
