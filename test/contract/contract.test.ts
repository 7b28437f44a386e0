import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { OPERATIONS } from '../../src/rest/operation-table.ts';
import { ShapeCheck } from '../support/captures/capture-shape.ts';
import { CAPTURES, readShape } from '../support/captures/captures.ts';
import { answerFaults, refusalFaults } from '../support/contract/answer-checks.ts';
import type { ContractWorld, RestAnswer } from '../support/contract/contract-app.ts';
import { DOCUMENTED, SPECIFIED } from '../support/contract/documented.ts';
import { ERROR } from '../support/contract/error-bodies.ts';
import { misfits, type Shape } from '../support/contract/field-shapes.ts';
import { startRecordedWorld } from '../support/contract/recorded-app.ts';
import { OPERATION_ROWS } from '../support/operations/all.ts';
import { NullRule } from '../support/operations/null-rule.ts';
import { fewSubjects } from '../support/operations/operation-row.ts';
import { COMPARED_ROWS, expectRequestParity, expectRowParity } from '../support/operations/parity.ts';

/** A picture of the vault that the metadata describe: the graph names it and does not draw it. */
const WITHOUT_TWIN = [
  '/kvaults/mints/{pubkey}/metadata/image.svg',
  // Files of what their JSON twins answer.
  ...['activity.csv', 'activity.jsonl', 'income.csv'].map((file) => `/portfolio/{wallet}/${file}`),
];

/** Vaults, obligations and so on of which each request is made. */
const SUBJECTS = cases(6, Number.POSITIVE_INFINITY);

let world: ContractWorld;
beforeAll(async () => {
  world = await startRecordedWorld();
});
afterAll(() => world?.stop());

const named = (rows: readonly { readonly method: string; readonly path: string }[]) =>
  rows.map(({ method, path }) => `${method} ${path}`).sort();

describe('the contract', () => {
  it('has the 43 operations of the specification, and a row for each one that is served', () => {
    expect(new Set(SPECIFIED).size).toBe(43);
    expect(named(OPERATION_ROWS)).toEqual(named(OPERATIONS));
  });

  it('has an equivalent in the graph for every read', () => {
    const reads = OPERATIONS.filter(({ tag }) => tag !== 'Builders').map(({ path }) => path);
    expect([...COMPARED_ROWS.map(({ path }) => path), ...WITHOUT_TWIN].sort()).toEqual(reads.sort());
  });

  it('documents equivalent queries that fit the schema', () => {
    const schema = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8');
    const words = new Set(['on', 'query', 'mutation', ...(schema.match(/\w+/g) ?? [])]);
    const unknown = OPERATIONS.map(({ path, graph }) => [
      path,
      (graph.match(/\w+/g) ?? []).filter((word) => !words.has(word)),
    ]);
    expect(unknown).toEqual(OPERATIONS.map(({ path }) => [path, []]));
  });
});

describe('the shape checker', () => {
  const WRONG: readonly (readonly [Shape, readonly unknown[]])[] = [
    ['decimal', ['1e-7', '1.50', '-0', '01', '.5', '1.', '', '+1', 'NaN', 1, null, `0.${'1'.repeat(35)}`]],
    ['integerString', ['1.5', '-1', '01', '', 1, null]],
    ['integer', [1.5, '1', null, Number.NaN]],
    ['number', [Number.NaN, Number.POSITIVE_INFINITY, '1', null]],
    ['date', ['2026-01-01', '2026-01-01T00:00:00Z', '2026-02-30T00:00:00.000Z', 1_767_225_600_000, null]],
    ['epochMs', [1_767_225_600, '1767225600000', 1.5, null]],
    ['address', ['1'.repeat(31), '1'.repeat(33), '0OIl'.repeat(8), '', null]],
    ['uri', ['/image.svg', 'javascript:1', '', null]],
    ['label', ['', ' ', null]],
    [{ fields: { a: 'string' } }, [{}, { a: null }, { a: 'x', b: 1 }, [], null]],
    [{ list: 'string', length: 2 }, [['x'], ['x', 1], {}, null]],
  ];
  const RIGHT: readonly (readonly [Shape, readonly unknown[]])[] = [
    ['decimal', ['0', '-0.5', '12', '-3', `-0.${'0'.repeat(40)}${'1'.repeat(34)}`, '120.05']],
    ['integerString', ['0', '18446744073709551615']],
    ['date', ['2026-01-01T00:00:00.000Z']],
    ['epochMs', [1_767_225_600_000]],
    [{ fields: { a: { nullable: 'string' }, 'b?': 'number' } }, [{ a: null }, { a: 'x', b: 1 }]],
  ];

  it('finds every mismatch, and nothing else', () => {
    for (const [shape, values] of WRONG) {
      for (const value of values) expect([shape, value, misfits(shape, value).length > 0]).toContain(true);
    }
    for (const [shape, values] of RIGHT) {
      for (const value of values) expect(misfits(shape, value)).toEqual([]);
    }
  });
});

describe.each(OPERATION_ROWS)('$method $path', (row) => {
  const answers = new Map<string, Promise<RestAnswer>>();
  /** The world stands still, so the comparison uses the answers whose shape was tested. */
  const askOnce: ContractWorld['ask'] = ({ url, body }) => {
    const key = JSON.stringify([url, body]);
    const answer = answers.get(key) ?? world.ask(body === undefined ? { url } : { url, body });
    answers.set(key, answer);
    return answer;
  };
  const requestsOf = () => fewSubjects(row.requests(world.subjects), OPERATION_ROWS.indexOf(row), SUBJECTS);
  afterAll(() => answers.clear());

  it('answers in the documented shape', async () => {
    const requests = requestsOf();
    expect(requests.length).toBeGreaterThan(0);
    const faults: Record<string, string[]> = {};
    for (const each of requests) {
      const wrong = answerFaults({ ...row, ...each }, await askOnce(each));
      if (wrong.length > 0) faults[each.url] = wrong;
    }
    expect(faults).toEqual({});
  });

  it('rejects invalid input in the documented shape', async () => {
    const faults: Record<string, string[]> = {};
    for (const refusal of row.refusals(world.subjects)) {
      const wrong = refusalFaults(row, refusal, await world.ask(refusal.ask));
      if (wrong.length > 0) faults[refusal.name] = wrong;
    }
    expect(faults).toEqual({});
  });

  it.each(COMPARED_ROWS.filter((each) => each === row))(
    'equals the GraphQL answer for the same View',
    async (compared) => {
      await expectRequestParity({ ...world, ask: askOnce }, compared, requestsOf(), new NullRule());
    },
  );
});

describe('answers that the live service gave', () => {
  it.each(CAPTURES)('$name have fields that ours have too, with their types and formats', async (capture) => {
    const row = OPERATION_ROWS.find(({ path }) => path === capture.path);
    if (row === undefined) throw new Error(`no row for ${capture.path}`);
    const check = new ShapeCheck(readShape(capture), Object.keys(capture.without ?? {}), capture.unseen);
    for (const each of row.requests(world.subjects)) {
      if (check.isComplete) break;
      const { status, body, text } = await world.ask(each);
      expect(status, `${each.url}: ${text.slice(0, 200)}`).toBe(200);
      check.add(body);
    }
    expect(check.faults).toEqual([]);
  });
});

describe('both APIs', () => {
  it('do not differ where every price is known', async () => {
    const rule = new NullRule();
    for (const path of ['/kvaults/vaults/{pubkey}/metrics', '/svc-market/{pubkey}/reserves/metrics']) {
      const row = COMPARED_ROWS.find((each) => each.path === path);
      if (row === undefined) throw new Error(`no row for ${path}`);
      await expectRowParity(world, row, world.subjects, rule);
    }
    // A vault without shares has no realised yield in any of the six windows.
    const vaults = (await world.get('/kvaults/vaults')).body as readonly {
      state: { sharesIssued: string };
    }[];
    const empty = vaults.filter(({ state }) => state.sharesIssued === '0');
    expect(rule.applied).toBe(6 * empty.length);
  });
});

describe('documented operations', () => {
  it('are all served', () => {
    const served = named(OPERATIONS);
    expect(DOCUMENTED.filter((each) => !served.includes(each))).toEqual([]);
  });

  it('are all that is served, except for builders', () => {
    const served = named(OPERATIONS.filter(({ tag }) => tag !== 'Builders'));
    expect(served.filter((each) => !DOCUMENTED.includes(each))).toEqual([]);
  });

  it('are suggested for a similar path', async () => {
    const answer = await world.get('/kvaults/vault');
    expect([answer.status, misfits(ERROR, answer.body)]).toEqual([404, []]);
    expect(answer.text).toContain('The nearest documented path is /kvaults/vaults.');
  });
});
