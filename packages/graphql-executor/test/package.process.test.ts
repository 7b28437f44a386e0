import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Application, applicationWith, exampleIn } from '../../protocol/test/support/application.ts';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

let application: Application;

beforeAll(async () => {
  application = await applicationWith(PACKAGE);
});
afterAll(() => application.remove());

it('has modules, types, a licence and a readme, and no sources', () => {
  const { files } = application;
  expect(files).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/collect-fields.d.ts']),
  );
  expect(files.filter((name) => /^(src|test|bench)|(?<!\.d)\.ts$/.test(name))).toEqual([]);
});

it('executes the example of its readme', async () => {
  const example = await exampleIn(`${PACKAGE}README.md`, 'Example');
  // Plain JavaScript.
  const printed = await application.run('hello.js', example);
  expect(printed).toBe('{"data":{"hello":"Hello, world!","other":"Hello, plan!"}}\n');
  expect(example).toContain(printed.trim());
});
