import { expect, it } from 'vitest';
import { healthTone } from '../src/ui/health.tsx';

it.each([
  ['0.9999', 'bad'],
  ['1', 'bad'],
  ['1.0001', 'warn'],
  ['1.0999', 'warn'],
  ['1.1', 'good'],
])('a health factor of %s is %s: at 1 and below the loan can be liquidated', (factor, tone) => {
  expect(healthTone(factor)).toBe(tone);
});
