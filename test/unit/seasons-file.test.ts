import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { afterAll, describe, expect, it } from 'vitest';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { parseSeasons, readSeasons } from '../../src/config/catalogue/seasons.ts';
import type { SeasonsInput } from '../../src/config/catalogue/seasons-format.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-seasons-'));
afterAll(() => rmSync(folder, { recursive: true }));

const [MINT, ALICE, BOB, VAULT] = [1, 2, 3, 4].map((n) => String(testAddress(n))) as [
  string,
  string,
  string,
  string,
];

const HOUR = {
  averageRate: 0.05,
  trackedSupplyUsd: 1_000,
  elements: 2,
  includedProtocols: 1,
};

const problemsOf = (content: unknown): readonly string[] => {
  try {
    parseSeasons(content as SeasonsInput, 'test');
  } catch (error) {
    if (isCodedError(error, 'CATALOGUE_INVALID')) return error.context.problems;
    throw error;
  }
  return [];
};

const oneSeason = (fields: object) => ({
  version: 1,
  seasons: [{ source: 'Season1', rewardToken: MINT, ...fields }],
});

describe('a seasons file', () => {
  it('lists the parts of each wallet and sums them exactly', () => {
    const { seasons } = parseSeasons(
      oneSeason({
        allocations: [
          { wallet: ALICE, name: 'main', quantity: '0.1' },
          { wallet: BOB, name: 'main', quantity: '0.2' },
          { wallet: ALICE, name: 'early', quantity: '1000000' },
        ],
      }) as unknown as SeasonsInput,
      'test',
    );
    const [season] = seasons;
    const names = [...(season?.allocations ?? [])].map(([wallet, parts]) => [
      wallet,
      parts.map((each) => each.name),
    ]);
    expect(names).toEqual([
      [ALICE, ['main', 'early']],
      [BOB, ['main']],
    ]);
    expect(season && toDecimalString(season.totalAllocation)).toBe('1000000.3');
  });

  it.each([
    ['another version', { version: 2 }, 'version'],
    ['an unknown field', { version: 1, rewards: [] }, 'rewards'],
    ['no source', { version: 1, seasons: [{ rewardToken: MINT }] }, 'seasons[0].source'],
    [
      'a wallet that is none',
      oneSeason({ rewards: [{ wallet: 'x', amount: '1' }] }),
      'seasons[0].rewards[0].wallet',
    ],
    [
      'a negative amount',
      oneSeason({ rewards: [{ wallet: ALICE, amount: '-1' }] }),
      'seasons[0].rewards[0].amount',
    ],
    [
      'a number as an amount',
      oneSeason({ allocations: [{ wallet: ALICE, name: 'main', quantity: 1 }] }),
      'seasons[0].allocations[0].quantity',
    ],
    [
      'two rewards of a wallet',
      oneSeason({
        rewards: [
          { wallet: ALICE, amount: '1' },
          { wallet: ALICE, amount: '2' },
        ],
      }),
      'seasons[0].rewards[1].wallet',
    ],
    [
      'two figures of a wallet in a vault',
      oneSeason({ vaultRewards: [1, 2].map(() => ({ wallet: ALICE, vault: VAULT, tokensEarned: '1' })) }),
      'seasons[0].vaultRewards[1].vault',
    ],
    [
      'a season twice',
      { version: 1, seasons: [1, 2].map(() => ({ source: 'Season1', rewardToken: MINT })) },
      'seasons[1].source',
    ],
    [
      'a time within an hour',
      { version: 1, benchmarkRates: [{ hour: '2026-01-01T00:30:00Z', ...HOUR }] },
      'benchmarkRates[0].hour',
    ],
    [
      'hours in the wrong order',
      {
        version: 1,
        benchmarkRates: ['2026-01-01T01:00:00Z', '2026-01-01T00:00:00Z'].map((hour) => ({ hour, ...HOUR })),
      },
      'benchmarkRates[1].hour',
    ],
  ])('is rejected with %s, by its place', (_, content, place) => {
    expect(problemsOf(content).join('; ')).toContain(place);
  });

  it('is rejected with the first problems of many', () => {
    const rewards = Array.from({ length: 200 }, () => ({ wallet: 'x', amount: '1' }));
    const problems = problemsOf(oneSeason({ rewards }));
    expect([problems.length, problems.at(-1)]).toEqual([51, 'and 150 more']);
  });

  it('is rejected when it is too large, no JSON, or not there', async () => {
    const file = join(folder, 'seasons.json');
    const problem = async (path: string, most?: number) => {
      const error: unknown = await readSeasons(path, most).catch((cause: unknown) => cause);
      return isCodedError(error, 'CATALOGUE_INVALID') ? error.message : error;
    };
    writeFileSync(file, JSON.stringify({ version: 1 }));
    expect(await readSeasons(file)).toEqual({ seasons: [], benchmarkRates: [] });
    expect(await problem(file, 5)).toContain('has 13 bytes, and at most 5 are allowed');
    writeFileSync(file, '{');
    expect(await problem(file)).toContain('not valid JSON');
    expect(await problem(join(folder, 'nothing.json'))).toContain('cannot be read');
  });
});
