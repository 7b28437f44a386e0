import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path, { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { compiledParts } from '../../scripts/compiled-parts.ts';
import { compiledForm, runCompiled, type Scripts } from '../../src/start/compiled.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-compiled-'));
afterAll(() => rmSync(folder, { recursive: true }));

const told: string[] = [];
beforeEach(() => {
  told.length = 0;
  Object.assign(globalThis, { tell: (word: string) => told.push(word) });
});

function program(name: string, text: string): URL {
  const file = join(folder, name);
  writeFileSync(file, `(function (require, moduleUrl, module) { ${text} })`);
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

  it('requires its other parts when it needs them, each once, and keeps all for the build', () => {
    program('part.js', "globalThis.tell('part'); module.exports = { name: 'of the part' }");
    program('unwanted.js', "globalThis.tell('unwanted')");
    const url = program(
      'whole.js',
      "globalThis.tell('whole'); globalThis.tell(require('./part.js').name); require('./part.js')",
    );
    const scripts: Scripts = new Map();
    runCompiled(url, scripts);
    expect(told).toEqual(['whole', 'part', 'of the part']);
    expect([...scripts.keys()]).toEqual([url.href, new URL('part.js', url).href]);
  });

  it('takes its parts, and what is not its own, in the way that it is given', () => {
    program('taken.js', "globalThis.tell('part')");
    const taken: unknown[] = [];
    runCompiled(program('taking.js', "require('node:path'); require('./taken.js')"), new Map(), (take) => {
      told.push('taking');
      const what = take();
      taken.push(what instanceof Script ? 'a part' : what);
      return what;
    });
    expect(taken).toEqual(['a part', path, 'a part']);
    expect(told).toEqual(['taking', 'taking', 'taking', 'part']);
  });

  it('tries a part again that has failed, and tells of one that needs itself', () => {
    program('failing.js', "if (!globalThis.mended) throw new Error('broken'); module.exports = 'mended'");
    Object.assign(globalThis, { mended: false });
    runCompiled(
      program(
        'trying.js',
        `try { require('./failing.js') } catch (error) { globalThis.tell(error.message) }
        globalThis.mended = true; globalThis.tell(require('./failing.js'))`,
      ),
    );
    expect(told).toEqual(['broken', 'mended']);
    program('there.js', "require('./back.js')");
    program('back.js', "require('./there.js')");
    expect(() => runCompiled(program('circle.js', "require('./there.js')"))).toThrow(/there.js needs itself/);
  });
});

describe('the parts of a built program', () => {
  it('take from each other what never changes once, and ask for the rest at each use', async () => {
    const counter = `var count = 0;
function increase() {
  count += 1;
}
var WORD = "times";
var late;
function settle() {
  late = "settled";
}
export {
  count,
  increase,
  WORD as UNIT,
  late,
  settle
};
`;
    const whole = `import {
  count,
  increase,
  UNIT as unit,
  late,
  settle
} from "./counter.js";
increase();
settle();
globalThis.tell(count + " " + unit + " " + late + " " + import.meta.url.endsWith("parts.js"));
import("./later.js").then((later) => globalThis.tell(later.word));
`;
    const parts = await compiledParts([
      { name: './parts.js', code: whole },
      { name: './counter.js', code: counter },
      { name: './later.js', code: 'var word = "later";\nexport {\n  word\n};\n' },
    ]);
    for (const { name, code } of parts) writeFileSync(join(folder, name), code);
    runCompiled(pathToFileURL(join(folder, 'parts.js')));
    await vi.waitFor(() => expect(told).toEqual(['1 times settled true', 'later']));
    expect(parts[0]?.code).toContain('const { increase, UNIT: unit, settle } = require("./counter.js")');
  });
});
