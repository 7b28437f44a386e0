import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build } from 'esbuild';
import ts from 'typescript';

/**
 * Writes `dist` of the package in the working directory: its modules named by the arguments, which are commands but for `index`,
 * and the types of `index`. `@sluice/protocol` is not published, so it is bundled, and no declaration may refer to it.
 *
 * @example tsx ../../scripts/bundle-package.ts index cli
 */
const ROOT = process.cwd();
const ENTRIES = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const DEPENDENCIES = Object.keys(manifest.dependencies);

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: ENTRIES.map((name) => `src/${name}.ts`),
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  conditions: ['@sluice/source'],
  external: DEPENDENCIES,
  legalComments: 'none',
  logLevel: 'warning',
});
for (const name of ENTRIES) if (name !== 'index') chmodSync(join(ROOT, `dist/${name}.js`), 0o755);
writeDeclarations('src/index.ts');

/** Writes the declarations of a module and of the modules that they refer to. */
function writeDeclarations(file: string, written = new Set<string>()): void {
  if (written.has(file)) return;
  written.add(file);
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(join(ROOT, file), 'utf8'), {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      isolatedDeclarations: true,
    },
  });
  for (const { messageText } of diagnostics) {
    throw new Error(`${file}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`);
  }
  for (const { fileName } of ts.preProcessFile(outputText).importedFiles) {
    if (fileName.startsWith('.')) writeDeclarations(join(dirname(file), fileName), written);
    else if (!DEPENDENCIES.includes(fileName)) throw new Error(`the types of ${file} refer to ${fileName}`);
  }
  const out = join(ROOT, 'dist', relative('src', file).replace(/\.ts$/, '.d.ts'));
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, outputText.replaceAll(/(from ['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2'));
}
