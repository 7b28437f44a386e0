import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { compiledForm, runCompiled } from '../../src/files/compiled.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-compiled-'));
afterAll(() => rmSync(folder, { recursive: true }));

const told: string[] = [];
beforeEach(() => {
  told.length = 0;
  Object.assign(globalThis, { tell: (word: string) => told.push(word) });
});

function program(name: string, text: string): URL {
  const file = join(folder, name);
  writeFileSync(file, `(function (require, moduleUrl) { ${text} })`);
  return pathToFileURL(file);
}

describe('a compiled program', () => {
  it('runs as one that was never compiled, and is given what a module has', () => {
    const url = program('plain.js', "globalThis.tell(require('node:path').basename(moduleUrl))");
    expect(runCompiled(url).cachedDataRejected).toBeUndefined();
    expect(told).toEqual(['plain.js']);
  });

  it('runs from its compiled form', () => {
    const url = program('kept.js', "globalThis.tell('ran')");
    writeFileSync(compiledForm(url), runCompiled(url).createCachedData());
    expect(runCompiled(url).cachedDataRejected).toBe(false);
    expect(told).toEqual(['ran', 'ran']);
  });

  it('runs all the same when its compiled form is of something else', () => {
    const url = program('other.js', "globalThis.tell('still runs')");
    writeFileSync(compiledForm(url), Buffer.alloc(4_096, 7));
    expect(runCompiled(url).cachedDataRejected).toBe(true);
    expect(told).toEqual(['still runs']);
  });

  it('keeps text that is not ASCII', () => {
    runCompiled(program('text.js', "globalThis.tell('Zürich €')"));
    expect(told).toEqual(['Zürich €']);
  });
});
