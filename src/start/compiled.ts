import { isAscii } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type { Taking } from './v8-settings.ts';

/** A part of a program as one function, which takes `require`, its own address and where its exports go. */
type Part = (require: (name: string) => unknown, moduleUrl: string, module: { exports: unknown }) => void;

/** The parts that were loaded, by their address. */
export type Scripts = Map<string, Script>;

/** Where the compiled form of a part is kept. */
export const compiledForm = (part: URL): URL => new URL(`${part.href}.cache`);

/**
 * Runs a built program with the code that V8 compiled from it when it was built, so that a start compiles next to
 * nothing. It requires its other parts from its own folder, each when it is needed. V8 itself refuses a compiled form that
 * is of another version or made with other flags, and compiles the part anew.
 */
export function runCompiled(
  program: URL,
  scripts: Scripts = new Map(),
  taking: Taking = (take) => take(),
): Script {
  const ofPackages = createRequire(program);
  const running = new Set<string>();
  const ran = new Map<string, { exports: unknown }>();
  const run = (part: URL): Script => {
    // What a part takes from another it takes once, so that other must have run to its end.
    if (running.has(part.href)) throw new Error(`${part.href} needs itself`);
    running.add(part.href);
    try {
      const script = taking(() => loaded(part));
      scripts.set(part.href, script);
      const module = { exports: {} };
      (script.runInThisContext() as Part)(required, part.href, module);
      ran.set(part.href, module);
      return script;
    } finally {
      running.delete(part.href);
    }
  };
  const required = (name: string): unknown => {
    if (!name.startsWith('./')) return taking(() => ofPackages(name));
    const part = new URL(name, program);
    if (!ran.has(part.href)) run(part);
    return ran.get(part.href)?.exports;
  };
  return run(program);
}

function loaded(part: URL): Script {
  const bytes = readFileSync(part);
  const form = compiledForm(part);
  return new Script(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'), {
    filename: fileURLToPath(part),
    ...(existsSync(form) ? { cachedData: readFileSync(form) } : {}),
  });
}
