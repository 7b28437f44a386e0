import { expect, it } from 'vitest';
import { samplingPlans } from '../../src/app/seed-history/sampling-plan.ts';

it('samples a year of days, 30 days of hours and two hours of minutes, each up to where the finer one begins', () => {
  const plans = samplingPlans(Date.UTC(2026, 5, 1, 12, 0, 30));
  const edges = plans.map(({ step, at }) => ({
    step,
    points: at.length,
    first: new Date(at[0] ?? 0).toISOString(),
    last: new Date(at.at(-1) ?? 0).toISOString(),
  }));
  expect(edges).toEqual([
    { step: 86_400, points: 335, first: '2025-06-01T23:59:59.000Z', last: '2026-05-01T23:59:59.000Z' },
    { step: 3600, points: 730, first: '2026-05-02T00:59:59.000Z', last: '2026-06-01T09:59:59.000Z' },
    { step: 60, points: 120, first: '2026-06-01T10:00:59.000Z', last: '2026-06-01T11:59:59.000Z' },
  ]);
});
