import { join } from 'node:path';
import ts from 'typescript';

/** Errors of a strict compiler in each file of a folder. A bundler resolves its imports. */
export function compilerErrors(folder: string, files: readonly string[]): Record<string, string[]> {
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    {
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      allowImportingTsExtensions: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      noEmit: true,
      types: [],
    },
  );
  const said = (file: string) =>
    ts
      .getPreEmitDiagnostics(program, program.getSourceFile(join(folder, file)))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  return Object.fromEntries(files.map((file) => [file, said(file)]));
}
