import { isAscii } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/** A program as one function, which takes `require` and its own address. */
type Program = (require: NodeJS.Require, moduleUrl: string) => void;

/** Where the compiled form of a program is kept. */
export const compiledForm = (program: URL): URL => new URL(`${program.href}.cache`);

/**
 * Runs a built program with the code that V8 compiled from it when it was built, so that a start compiles next to
 * nothing. V8 itself refuses the compiled form when it is of another version or made with other flags, and compiles the
 * program anew.
 */
export function runCompiled(program: URL): Script {
  const bytes = readFileSync(program);
  const form = compiledForm(program);
  const script = new Script(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'), {
    filename: fileURLToPath(program),
    ...(existsSync(form) ? { cachedData: readFileSync(form) } : {}),
  });
  (script.runInThisContext() as Program)(createRequire(program), program.href);
  return script;
}
