import { readFileSync } from 'node:fs';
import type { Source } from './traffic.ts';

/** Documented behaviour for one data source. */
export interface Promised {
  /** Whether it may answer normally. */
  readonly answers: boolean;
  readonly codes: readonly string[];
}

export interface FaultRow extends Readonly<Record<Source | 'streams', Promised>> {
  readonly ready: 'ready' | 'not ready' | 'either';
}

const DOCUMENT = new URL('../../../docs/faults.md', import.meta.url);
const COLUMNS = ['view', 'live', 'build', 'history', 'streams'] as const;

/** Every fault of the table in docs/faults.md, by its name there. */
export function faultTable(): ReadonlyMap<string, FaultRow> {
  const rows = readFileSync(DOCUMENT, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| **'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', ...cells]) => [name.replaceAll('**', ''), rowOf(cells)] as const);
  return new Map(rows);
}

function rowOf(cells: readonly string[]): FaultRow {
  const promised = COLUMNS.map((column, i) => [column, promisedIn(cells[i] ?? '')] as const);
  const ready = /not ready/.test(cells[COLUMNS.length] ?? '') ? 'not ready' : 'ready';
  return {
    ...(Object.fromEntries(promised) as Record<(typeof COLUMNS)[number], Promised>),
    ready: /or/.test((cells[COLUMNS.length] ?? '').replaceAll('not ready', '')) ? 'either' : ready,
  };
}

function promisedIn(cell: string): Promised {
  return {
    answers: /answers|goes on/.test(cell),
    codes: [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, code = '']) => code),
  };
}
