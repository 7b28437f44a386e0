import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { faultTable } from '../support/faults/fault-table.ts';

const FOLDERS = [
  ['.', /^gateway-.*\.test\.ts$/],
  ['../support/faults', /^database-loss\.ts$/],
] as const;

/** Source text of the tests that cause faults. */
const tests = FOLDERS.flatMap(([folder, wanted]) => {
  const url = new URL(`${folder}/`, import.meta.url);
  return readdirSync(url)
    .filter((name) => wanted.test(name))
    .map((name) => readFileSync(new URL(name, url), 'utf8'));
}).join('\n');

const ROWS = [...faultTable()];

it('every kind of fault is in the table', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(16);
});

it.each(ROWS)('%s is covered by a test, and its error codes exist and are retryable', (name, row) => {
  expect(tests).toContain(`'${name}'`);
  for (const { codes } of [row.view, row.live, row.build, row.history, row.streams]) {
    for (const code of codes)
      expect([code, ERROR_CODES[code as keyof typeof ERROR_CODES]?.retryable]).toEqual([code, true]);
  }
  for (const { answers, codes } of [row.view, row.live, row.build, row.history]) {
    expect(answers || codes.length > 0).toBe(true);
  }
});
