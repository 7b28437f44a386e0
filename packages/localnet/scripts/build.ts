import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';
import manifest from '../package.json' with { type: 'json' };

/**
 * Writes `dist`: the API and the command as ES modules, and the types of the API. `@sluice/protocol` is not published, so it
 * is bundled, and no declaration may refer to it.
 */
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DEPENDENCIES = Object.keys(manifest.dependencies);

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: ROOT,
  entryPoints: ['src/index.ts', 'src/cli.ts'],
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
chmodSync(join(ROOT, 'dist/cli.js'), 0o755);
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
