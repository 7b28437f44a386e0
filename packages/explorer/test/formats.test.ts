import { Decimal } from '@sluice/client';
import { describe, expect, it } from 'vitest';
import { shortAddress } from '../src/format/address.ts';
import { dateTime, day, duration } from '../src/format/dates.ts';
import { health, leverage, part, price, rate, tokens, usd, usdShort } from '../src/format/numbers.ts';
import { distanceOf, riskOfHealth } from '../src/format/risk.ts';

const of = (value: string) => Decimal.of(value);
/** Spaces that do not break are written as underscores here, to be seen. */
const seen = (text: string) => text.replaceAll('\u00a0', '_');

describe('numbers', () => {
  it.each([
    ['4101.64', '$4,101.64'],
    ['0', '$0.00'],
    ['9999.99', '$9,999.99'],
    ['9999.995', '$10,000'],
    ['15731.4', '$15,731'],
    ['999949', '$999,949'],
    ['999950', '$1.0M'],
    ['4000000', '$4.0M'],
    ['18812345', '$18.8M'],
    ['999949999', '$999.9M'],
    ['999950000', '$1.00B'],
    ['1630000000', '$1.63B'],
    ['-53.75', '−$53.75'],
  ])('writes %s dollars as %s', (value, text) => {
    expect(usd(of(value)).text).toBe(text);
  });

  it('gives a column the precision of its largest value', () => {
    expect(usd(of('4101.64'), { largest: of('15731') }).text).toBe('$4,102');
    expect(usd(of('4101.64'), { largest: of('9000') }).text).toBe('$4,101.64');
  });

  it('writes a plus for changes only, and no sign for what is rounded to zero', () => {
    expect(usd(of('136.96'), { change: true }).text).toBe('+$136.96');
    expect(usd(of('-0.001'), { change: true }).text).toBe('$0.00');
    expect(part(of('-0.2'), { whole: true, change: true }).text).toBe('−20%');
  });

  it.each([
    ['107912', '$107.9K'],
    ['442', '$442'],
    ['0', '$0'],
    ['18000000', '$18.0M'],
  ])('shortens %s dollars to %s', (value, text) => {
    expect(usdShort(of(value)).text).toBe(text);
  });

  it.each([
    ['303123', '$303K'],
    ['99412', '$99.4K'],
    ['5100', '$5.10K'],
    ['871', '$871'],
    ['1234567', '$1.23M'],
  ])('writes %s dollars in a heat map as %s', (value, text) => {
    expect(usdShort(of(value), { threeDigits: true }).text).toBe(text);
  });

  it.each([
    ['109476.4', '$109,476'],
    ['163.367', '$163.37'],
    ['0.99987', '$0.9999'],
    ['1.0993', '$1.0993'],
    ['0.00001234', '$0.000012'],
  ])('writes a price of %s as %s', (value, text) => {
    expect(price(of(value)).text).toBe(text);
  });

  it.each([
    ['17192.5649', 'USDC', '17,192.56_USDC'],
    ['25', 'USDC', '25_USDC'],
    ['0.05482', 'wBTC', '0.0548_wBTC'],
    ['0.5', 'SOL', '0.50_SOL'],
    ['0.000012345', 'wBTC', '0.000012_wBTC'],
    ['0', 'SOL', '0_SOL'],
    ['-3516.349762', 'kvUSDC', '−3,516.35_kvUSDC'],
  ])('writes %s %s as %s', (value, symbol, text) => {
    expect(seen(tokens(of(value), symbol).text)).toBe(text);
  });

  it('writes rates with two decimals, parts with one or none, health with two, leverage with one', () => {
    expect(rate(of('0.11463')).text).toBe('11.46%');
    expect(part(of('0.2714')).text).toBe('27.1%');
    expect(part(of('0.968'), { whole: true }).text).toBe('97%');
    expect(health(of('1.6512')).text).toBe('1.65');
    expect(leverage(of('3.21')).text).toBe('3.2×');
  });

  it('never rounds the health of a loan that can be liquidated up to 1', () => {
    expect(health(of('0.9999')).text).toBe('0.99');
  });

  it('speaks words instead of signs', () => {
    expect(usd(of('18812345')).spoken).toBe('18.8 million dollars');
    expect(usd(of('-53.75')).spoken).toBe('minus 53.75 dollars');
    expect(rate(of('0.1146')).spoken).toBe('11.46 percent');
  });
});

describe('dates', () => {
  const now = new Date('2026-11-18T16:00:00Z');
  it.each([
    ['2026-11-18T15:05:00Z', '15:05'],
    ['2026-11-05T15:36:00Z', '5 Nov, 15:36'],
    ['2025-10-23T10:00:00Z', '23 Oct 2025'],
    ['2026-09-01T00:00:00Z', '1 Sep, 00:00'],
  ])('writes %s as %s', (at, text) => {
    expect(dateTime(new Date(at), now, 'UTC')).toBe(text);
  });

  it('writes days without a time', () => {
    expect(day(new Date('2026-11-05T15:36:00Z'), now, 'UTC')).toBe('5 Nov');
    expect(day(new Date('2025-11-05T15:36:00Z'), now, 'UTC')).toBe('5 Nov 2025');
  });

  it('uses the largest unit of a duration', () => {
    expect(seen(duration(2_900))).toBe('2_s');
    expect(seen(duration(86_400_000))).toBe('1_day');
  });
});

describe('risk', () => {
  it.each([
    ['0.98', 'danger'],
    ['1', 'danger'],
    ['1.11', 'danger'],
    ['1.12', 'caution'],
    ['1.33', 'caution'],
    ['1.34', 'safe'],
  ])('a health of %s is %s', (value, risk) => {
    expect(riskOfHealth(of(value))).toBe(risk);
  });

  it('measures the distance to liquidation from the health', () => {
    expect(distanceOf(of('2')).toString()).toBe('0.5');
  });
});

it('shortens addresses to four characters at each end', () => {
  expect(shortAddress('6MnWgeWaE4htQputgpAP2A2SrqYgpUvfCErBYgE3gWnq')).toBe('6MnW…gWnq');
});
