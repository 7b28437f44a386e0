import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { describe, expect, it } from 'vitest';
import { isGenuine } from '../../docs/alerts/receiver.ts';
import { testAddress } from '../../packages/localnet/test/support/chain/fake-chain.ts';
import { type Condition, conditionOf, type MetricReading, nextState } from '../../src/alerts/condition.ts';
import { retryDelayMs } from '../../src/alerts/delivery/backoff.ts';
import { signatureOf, signingSecret } from '../../src/alerts/delivery/signature.ts';
import { type Figure, NONE, UNKNOWN, worstFigure } from '../../src/alerts/figures.ts';
import { outflowSince } from '../../src/alerts/outflow.ts';

const SUBJECT = testAddress(1);
const value = (text: string, isPartial = false): MetricReading => ({
  kind: 'value',
  value: parseDecimal(text),
  isPartial,
});
const figure = (text: string): Figure => ({ ...NONE, reading: value(text) });
const below = (threshold: string, clearAt?: string): Condition =>
  conditionOf({
    metric: 'OBLIGATION_HEALTH',
    subject: SUBJECT,
    below: parseDecimal(threshold),
    clearAt: clearAt === undefined ? null : parseDecimal(clearAt),
  });
const above = (threshold: string, clearAt?: string): Condition =>
  conditionOf({
    metric: 'RESERVE_UTILIZATION',
    subject: SUBJECT,
    above: parseDecimal(threshold),
    clearAt: clearAt === undefined ? null : parseDecimal(clearAt),
  });

describe('A condition', () => {
  it.each([
    ['below', below('1.2', '1.3'), 'CLEAR', '1.2', 'FIRING'],
    ['below', below('1.2', '1.3'), 'CLEAR', '1.21', 'CLEAR'],
    ['below', below('1.2', '1.3'), 'FIRING', '1.25', 'FIRING'],
    ['below', below('1.2', '1.3'), 'FIRING', '1.3', 'CLEAR'],
    ['below', below('1.2'), 'FIRING', '1.2', 'FIRING'],
    ['below', below('1.2'), 'FIRING', '1.2000001', 'CLEAR'],
    ['above', above('0.9', '0.8'), 'CLEAR', '0.9', 'FIRING'],
    ['above', above('0.9', '0.8'), 'PENDING', '0.85', 'CLEAR'],
    ['above', above('0.9', '0.8'), 'FIRING', '0.85', 'FIRING'],
    ['above', above('0.9', '0.8'), 'FIRING', '0.8', 'CLEAR'],
    ['above', above('0.9'), 'FIRING', '0.9', 'FIRING'],
    ['above', above('0.9'), 'FIRING', '0.89', 'CLEAR'],
  ] as const)('that fires %s: %#', (_name, condition, state, figureText, expected) => {
    expect(nextState(condition, state, value(figureText))).toBe(expected);
  });

  it('neither fires nor clears on an unknown figure', () => {
    for (const state of ['PENDING', 'CLEAR', 'FIRING'] as const)
      expect(nextState(below('1.2'), state, { kind: 'unknown' })).toBeNull();
  });

  it('clears when there is no figure any more', () => {
    expect(nextState(below('1.2'), 'FIRING', { kind: 'none' })).toBe('CLEAR');
  });

  it('fires on a part of the figures, but does not clear on it', () => {
    expect(nextState(below('1.2'), 'CLEAR', value('1.1', true))).toBe('FIRING');
    expect(nextState(below('1.2'), 'FIRING', value('2', true))).toBeNull();
  });

  it.each([
    [{ metric: 'OBLIGATION_HEALTH' as const, below: parseDecimal('1') }, 'needs a `subject`'],
    [{ metric: 'OBLIGATION_HEALTH' as const, subject: SUBJECT }, 'exactly one of'],
    [
      { metric: 'VAULT_APY' as const, subject: SUBJECT, above: parseDecimal('1'), below: parseDecimal('0') },
      'exactly one of',
    ],
    [
      {
        metric: 'VAULT_APY' as const,
        subject: SUBJECT,
        above: parseDecimal('1'),
        clearAt: parseDecimal('2'),
      },
      'at most `above`',
    ],
    [
      {
        metric: 'VAULT_APY' as const,
        subject: SUBJECT,
        below: parseDecimal('1'),
        clearAt: parseDecimal('0'),
      },
      'at least `below`',
    ],
    [
      { metric: 'RESERVE_PRICE_STATUS' as const, subject: SUBJECT, above: parseDecimal('1') },
      'has no thresholds',
    ],
    [{ metric: 'DRIFT' as const, subject: SUBJECT }, 'has no `subject`'],
  ])('%# is refused', (input, reason) => {
    expect(() => conditionOf(input)).toThrowError(
      expect.objectContaining({ code: 'ALERT_INVALID', message: expect.stringContaining(reason) }),
    );
  });
});

describe('The worst of several figures', () => {
  const read = (figures: readonly Figure[], direction: 'ABOVE' | 'BELOW') => {
    const { reading } = worstFigure(figures, direction);
    return reading.kind === 'value' ? [toDecimalString(reading.value), reading.isPartial] : reading.kind;
  };

  it('is the furthest in the direction of the threshold', () => {
    expect(read([figure('3'), figure('1'), figure('2')], 'BELOW')).toEqual(['1', false]);
    expect(read([figure('1'), figure('3'), NONE], 'ABOVE')).toEqual(['3', false]);
  });

  it('is partial beside an unknown one, and unknown or none without any', () => {
    expect(read([figure('3'), UNKNOWN], 'BELOW')).toEqual(['3', true]);
    expect(read([UNKNOWN, NONE], 'BELOW')).toBe('unknown');
    expect(read([NONE], 'BELOW')).toBe('none');
    expect(read([], 'BELOW')).toBe('none');
  });
});

describe('An outflow', () => {
  const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 0, minutes));
  const steps = (...supplies: readonly (readonly [number, string])[]) => {
    let mark: ReturnType<typeof outflowSince>['mark'] | null = null;
    return supplies.map(([minutes, shares]) => {
      const outflow = outflowSince(mark, parseDecimal(shares), at(minutes));
      mark = outflow.mark;
      return toDecimalString(outflow.value);
    });
  };

  it('adds up withdrawals since the highest supply', () => {
    expect(steps([0, '100'], [1, '90'], [2, '75'])).toEqual(['0', '0.1', '0.25']);
    expect(steps([0, '100'], [1, '200'], [2, '150'])).toEqual(['0', '0', '0.25']);
  });

  it('starts over after an hour, so that it ends', () => {
    expect(steps([0, '100'], [59, '50'], [60, '50'], [61, '45'])).toEqual(['0', '0.5', '0', '0.1']);
  });

  it('of an empty vault is none', () => {
    expect(steps([0, '0'], [1, '0'])).toEqual(['0', '0']);
  });
});

describe('A signature', () => {
  const [secret, body, at] = ['whsec_test', '{"id":"1"}', new Date(1_700_000_000_999)];
  // printf '1700000000.{"id":"1"}' | openssl dgst -sha256 -hmac whsec_test
  const HEADER = 't=1700000000,v1=11bf4466ea17c3df3fd743af0b435368e16b7a05eb8eced85e8c4670767bdec5';

  it('is the HMAC of time and body', () => {
    expect(signatureOf(secret, body, at)).toBe(HEADER);
  });

  it('uses a secret of the alert, derived from that of the operator', () => {
    // printf 'alert 0123456789abcdef' | openssl dgst -sha256 -hmac <operator's secret> -binary | basenc --base64url
    expect(signingSecret('0123456789012345678901234567890a', '0123456789abcdef')).toBe(
      'whsec_HktFyZChjsykkmq1u6JYPOFCFLSGhAApsp_7zhWOypQ',
    );
  });

  it('is verified by the documented receiver, which refuses others and old ones', () => {
    expect(isGenuine(secret, HEADER, body, at)).toBe(true);
    expect(isGenuine('whsec_other', HEADER, body, at)).toBe(false);
    expect(isGenuine(secret, HEADER, '{"id":"2"}', at)).toBe(false);
    expect(isGenuine(secret, HEADER.replace('t=17', 't=16'), body, at)).toBe(false);
    expect(isGenuine(secret, HEADER, body, new Date(at.getTime() + 301_000))).toBe(false);
    expect(isGenuine(secret, 'nonsense', body, at)).toBe(false);
  });
});

describe('The time between attempts', () => {
  it('doubles up to an hour, with jitter between half and all of it', () => {
    const range = (attempts: number) => [0, 1].map((random) => retryDelayMs(attempts, () => random));
    expect(range(0)).toEqual([500, 1_000]);
    expect(range(3)).toEqual([4_000, 8_000]);
    expect(range(11)).toEqual([1_024_000, 2_048_000]);
    expect(range(12)).toEqual([1_800_000, 3_600_000]);
    expect(range(1_000)).toEqual([1_800_000, 3_600_000]);
  });
});
