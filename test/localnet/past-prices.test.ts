import { expect, it } from 'vitest';
import { NOT_COUNTED, takeSnapshot } from '../../src/recorder/take-snapshot.ts';
import { priceOf } from '../support/domain/model-sums.ts';
import { replayMoments } from '../support/localnet/past-moments.ts';

const DAY_MS = 86_400_000;
const PRESENT_MS = Date.UTC(2026, 10, 15, 9, 12, 30);

it('samples of the past have the prices of their moment', () => {
  const moments = [300, 100, 10].map((days) => PRESENT_MS - days * DAY_MS);
  const pricesOfSol: number[] = [];
  replayMoments(PRESENT_MS, moments, ({ view, world }) => {
    const { prices } = takeSnapshot(view, NOT_COUNTED);
    for (const reserve of world.reserves) {
      const sampled = prices.find(({ mint }) => mint === reserve.token.mint.address)?.priceUsd;
      expect(sampled?.toNumber(), reserve.token.symbol).toBeCloseTo(priceOf(reserve), 6);
      if (reserve.token.symbol === 'SOL') pricesOfSol.push(priceOf(reserve));
    }
  });
  expect(new Set(pricesOfSol).size).toBe(moments.length);
});
