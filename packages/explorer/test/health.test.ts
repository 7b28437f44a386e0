import { Decimal } from '@sluice/client';
import { expect, it } from 'vitest';
import { distanceText, healthRisk } from '../src/ui/health.tsx';

it.each([
  ['0.9999', 'danger'],
  ['1', 'danger'],
  // Health of 1.12 after a fall of 40 % is not safe.
  ['1.12', 'caution'],
  ['1.3334', 'safe'],
])('a health factor of %s is %s', (factor, risk) => {
  expect(healthRisk(factor)).toBe(risk);
});

it('says how far a loan is from liquidation, and that one has arrived there', () => {
  expect(distanceText(Decimal.of('0.396'))).toBe('39.6%\u00a0away');
  expect(distanceText(Decimal.of('0'))).toBe('Can be liquidated now');
});
