import { Random } from '@sluice/localnet/world/prng';
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../bench/abuse/bystander.ts';
import { climb } from '../../bench/abuse/climb.ts';
import { corpusTargets, kindOf } from '../../bench/abuse/corpus.ts';
import { withEffects } from '../../bench/abuse/effects.ts';
import { type Knobs, SMALLEST, STARTS } from '../../bench/abuse/knobs.ts';
import { fitting } from '../../bench/abuse/permitted.ts';
import type { Reading } from '../../bench/abuse/probe.ts';
import { dearest, type Finding, verdictsOf } from '../../bench/abuse/report.ts';
import type { Attack } from '../../bench/abuse/targets.ts';

describe('corpus', () => {
  it('sorts requests by what serves them', () => {
    const request = (target: string, body: string | null = null): Attack => ({
      method: 'POST',
      target,
      body,
    });
    const kinds = [
      request('/graphql', '{ chain { slot } }'),
      request('/graphql', 'mutation { sendTransaction }'),
      request('/transactions', '{}'),
      request('/mcp', '{}'),
      request('/kvaults/vaults'),
    ].map((each) => kindOf({ isStream: false, request: each }));
    expect(kinds).toEqual(['graphql', 'sending', 'sending', 'mcp', 'rest']);
    expect(kindOf({ isStream: true, request: request('/graphql') })).toBe('streams');
  });

  it('every request can be repeated without being answered from a cache', () => {
    for (const { name, attack } of corpusTargets()) {
      expect(attack(SMALLEST, 2), name).not.toEqual(attack(SMALLEST, 3));
    }
  });
});

describe('search', () => {
  /** A hidden optimum: small pages, many copies, one of three paths; another goal wants the opposite. */
  const climbed = (tries: number) => {
    const measured: Knobs[] = [];
    const found = climb<Knobs, 'copies' | 'pages'>({
      starts: STARTS,
      permissible: (knobs) => fitting(knobs, ({ fieldCopies, page }) => fieldCopies * page <= 800),
      measure: async (knobs) => {
        measured.push(knobs);
        return knobs;
      },
      goals: [
        { name: 'copies', of: ({ fieldCopies, page, path }) => fieldCopies / page + (path === 2 ? 5 : 0) },
        { name: 'pages', of: ({ page, levels }) => page + 10 * levels },
      ],
      random: new Random('climb test', 1),
      goesOn: (tried) => tried < tries,
    });
    return { found, measured };
  };

  it('finds the best setting of every goal', async () => {
    const { found } = climbed(600);
    const best = await found;
    expect(best.get('copies')?.knobs).toMatchObject({ fieldCopies: 100, page: 1, path: 2 });
    expect(best.get('pages')?.knobs).toMatchObject({ page: 100, levels: 3 });
  });

  it('measures only what is permitted, and nothing twice', async () => {
    const { found, measured } = climbed(300);
    await found;
    expect(measured.every(({ fieldCopies, page }) => fieldCopies * page <= 800)).toBe(true);
    expect(new Set(measured.map((knobs) => JSON.stringify(knobs))).size).toBe(measured.length);
  });

  it('measures at least the first start, however short the time', async () => {
    const { found, measured } = climbed(0);
    expect((await found).size).toBe(2);
    expect(measured).toEqual([STARTS[0]]);
  });
});

describe('report', () => {
  const reading: Reading = {
    cpuMsPerUnit: 1,
    rpcCallsPerUnit: 1,
    sqlMsPerUnit: 0,
    cpuMsPerRequest: 1,
    unitsPerRequest: 1,
    longestMs: 10,
    status: 200,
  };
  const effect: Effect = {
    pageP50Ms: 5,
    pageP99Ms: 99.9,
    walletP99Ms: 300,
    failed: 0,
    loopStretchMs: 49.9,
    slowestAnswerMs: 15_100,
    admitted: 9,
  };
  const finding = (target: string, change: Partial<Finding> = {}): Finding => ({
    target,
    goal: 'processor',
    knobs: SMALLEST,
    reading,
    request: '',
    effect,
    ...change,
  });
  const met = (change: Partial<Finding>) => verdictsOf([finding('a', change)]).map(({ isMet }) => isMet);

  it('a promise is broken at its limit and not before', () => {
    expect(met({})).toEqual([true, true, true]);
    expect(met({ effect: { ...effect, pageP99Ms: 100 } })).toEqual([false, true, true]);
    expect(met({ effect: { ...effect, failed: 1 } })).toEqual([false, true, true]);
    expect(met({ effect: { ...effect, loopStretchMs: 50 } })).toEqual([true, false, true]);
    expect(met({ effect: { ...effect, slowestAnswerMs: 15_101 } })).toEqual([true, true, false]);
    expect(met({ effect: null, reading: { ...reading, longestMs: 15_101 } })).toEqual([true, true, false]);
  });

  it('runs each request of a field once, also where fields share their settings', async () => {
    const run: string[] = [];
    const found = [
      finding('a', { effect: null }),
      finding('a', { effect: null, goal: 'rpc' }),
      finding('b', { effect: null }),
      finding('c', { effect: null }),
      finding('b', { effect: null, goal: 'rpc', knobs: { ...SMALLEST, page: 9 } }),
    ];
    const all = await withEffects(
      found,
      ({ target }) => target !== 'c',
      async ({ target }) => {
        run.push(target);
        return { ...effect, admitted: run.length };
      },
    );
    expect(run).toEqual(['a', 'b', 'b']);
    expect(all.map((each) => each.effect?.admitted ?? null)).toEqual([1, 1, 2, null, 3]);
  });

  it('lists the dearest of a goal first and leaves out what was charged nothing', () => {
    const costing = (target: string, cpuMsPerUnit: number) =>
      finding(target, { reading: { ...reading, cpuMsPerUnit } });
    const all = [
      costing('cheap', 1),
      costing('free', Number.POSITIVE_INFINITY),
      costing('dear', 9),
      finding('other goal', { goal: 'rpc' }),
      costing('middle', 5),
    ];
    expect(dearest(all, 'processor', 2).map(({ target }) => target)).toEqual(['dear', 'middle']);
    expect(dearest(all, 'rpc', 2).map(({ target }) => target)).toEqual(['other goal']);
  });
});
