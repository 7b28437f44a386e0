import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
// Runs the documented tests.
import '../../docs/testing-your-app/deposit.test.ts';

const DOCS = new URL('../../docs/', import.meta.url);

it('docs/testing-your-app.md shows the tests that run here', async () => {
  const page = await readFile(new URL('testing-your-app.md', DOCS), 'utf8');
  const example = await readFile(new URL('testing-your-app/deposit.test.ts', DOCS), 'utf8');
  const [, shown = ''] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
  expect(shown).toMatch(/^it\(/);
  expect(example.endsWith(shown)).toBe(true);
});
