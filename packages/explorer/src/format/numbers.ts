import { Decimal } from '@sluice/client';
import { spokenUsd } from './spoken.ts';

/**
 * Every number of the page is written here; the table of rules is in test/formats.test.ts. Amounts stay exact: they are
 * rounded once, by the last digit that is shown.
 */
export interface Shown {
  readonly text: string;
  /** The words of a screen reader. */
  readonly spoken: string;
}

export interface NumberOptions {
  /** A change: a plus before what is above zero. */
  readonly change?: boolean;
  /** The largest value of the column, whose precision all of the column have. */
  readonly largest?: Decimal;
}

const MINUS = '\u2212';
export const NO_BREAK = '\u00a0';

const THOUSAND = Decimal.of('1000');
const TEN_THOUSAND = Decimal.of('10000');
const MILLION = Decimal.of('1000000');
const BILLION = Decimal.of('1000000000');
const ONE = Decimal.of('1');
const TEN = Decimal.of('10');

/** Intl writes a hyphen for a minus, and a sign before a currency. */
function signed(value: Decimal, digits: string, change: boolean): string {
  // What is rounded to zero has no sign.
  if (!/[1-9]/.test(digits)) return digits;
  if (value.isNegative) return `${MINUS}${digits}`;
  return change ? `+${digits}` : digits;
}

const plain = (value: Decimal, places: number, minPlaces = places): string =>
  value.abs().format({ locale: 'en-US', places, minPlaces, rounding: 'halfEven' });

/** The value in units of `unit`, for example in millions. */
const scaled = (value: Decimal, unit: Decimal, places: number, suffix: string): string =>
  `${plain(value.dividedBy(unit, places + 3), places)}${suffix}`;

const reaches = (value: Decimal, limit: Decimal): boolean => value.abs().compare(limit) >= 0;

/** A rounded value may reach the next step: 999,950 is 1.0M and not 1,000.0K. */
const stepOf = (value: Decimal): 'billions' | 'millions' | 'whole' | 'cents' =>
  reaches(value, Decimal.of('999950000'))
    ? 'billions'
    : reaches(value, Decimal.of('999950'))
      ? 'millions'
      : reaches(value, Decimal.of('9999.995'))
        ? 'whole'
        : 'cents';

/** $4,101.64; $15,731; $18.8M; $1.63B. */
export function usd(value: Decimal, { change = false, largest }: NumberOptions = {}): Shown {
  const step = stepOf(largest ?? value);
  const own = stepOf(value);
  const digits =
    own === 'billions'
      ? scaled(value, BILLION, 2, 'B')
      : own === 'millions'
        ? scaled(value, MILLION, 1, 'M')
        : plain(value, step === 'cents' ? 2 : 0);
  return { text: signed(value, `$${digits}`, change), spoken: spokenUsd(value, change) };
}

/** For axes, feeds and risk: $107.9K; with three digits for the cells of a heat map: $303K. */
export function usdShort(
  value: Decimal,
  { change = false, threeDigits = false }: NumberOptions & { readonly threeDigits?: boolean } = {},
): Shown {
  const digits = threeDigits ? threeDigitsOf(value) : shortOf(value);
  return { text: signed(value, `$${digits}`, change), spoken: spokenUsd(value, change) };
}

function shortOf(value: Decimal): string {
  if (reaches(value, Decimal.of('999950000'))) return scaled(value, BILLION, 2, 'B');
  if (reaches(value, Decimal.of('999950'))) return scaled(value, MILLION, 1, 'M');
  if (reaches(value, Decimal.of('999.95'))) return scaled(value, THOUSAND, 1, 'K');
  return plain(value, 0);
}

function threeDigitsOf(value: Decimal): string {
  const units = [
    [BILLION, 'B'],
    [MILLION, 'M'],
    [THOUSAND, 'K'],
  ] as const;
  for (const [unit, suffix] of units) {
    // 999.5 of the smaller unit is rounded up to 1 of this one.
    if (!reaches(value, unit.times(Decimal.of('0.9995')))) continue;
    const parts = value.abs().dividedBy(unit, 6);
    const places =
      parts.compare(Decimal.of('99.95')) >= 0 ? 0 : parts.compare(Decimal.of('9.995')) >= 0 ? 1 : 2;
    return `${parts.format({ locale: 'en-US', places, minPlaces: places })}${suffix}`;
  }
  return plain(value, 0);
}

/** $109,476; $163.37; $0.9999. */
export function price(value: Decimal): Shown {
  const places = reaches(value, TEN_THOUSAND) ? 0 : reaches(value, TEN) ? 2 : 4;
  const small = !value.isZero && !reaches(value, Decimal.of('0.00005'));
  const digits = small ? value.abs().format({ locale: 'en-US', significant: 2 }) : plain(value, places);
  return { text: signed(value, `$${digits}`, false), spoken: `${digits} dollars` };
}

/** 17,192.56 USDC; 0.0548 wBTC. */
export function tokens(value: Decimal, symbol: string, { change = false }: NumberOptions = {}): Shown {
  const digits = tokenDigits(value);
  const text = signed(value, digits, change);
  return { text: `${text}${NO_BREAK}${symbol}`, spoken: `${spokenSign(value, change)}${digits} ${symbol}` };
}

function tokenDigits(value: Decimal): string {
  if (value.isZero) return '0';
  if (reaches(value, BILLION)) return scaled(value, BILLION, 2, 'B');
  if (reaches(value, Decimal.of('100000000'))) return scaled(value, MILLION, 1, 'M');
  if (reaches(value, ONE)) return plain(value, 2, value.places === 0 ? 0 : 2);
  // What four places cannot show is more than nothing.
  if (!reaches(value, Decimal.of('0.00005'))) return value.abs().format({ locale: 'en-US', significant: 2 });
  return plain(value, 4, 2);
}

/** A yield or a cost: 11.46%. */
export function rate(value: Decimal, { change = false }: NumberOptions = {}): Shown {
  return percent(value, 2, change);
}

/** A part of a whole: 27.1% in lists, 97% in sentences. */
export function part(
  value: Decimal,
  { change = false, whole = false }: NumberOptions & { readonly whole?: boolean } = {},
): Shown {
  return percent(value, whole ? 0 : 1, change);
}

function percent(value: Decimal, places: number, change: boolean): Shown {
  const digits = plain(value.times(Decimal.of('100')), places);
  return {
    text: `${signed(value, digits, change)}%`,
    spoken: `${spokenSign(value, change)}${digits} percent`,
  };
}

/** A health factor: 1.65. Never rounded up to 1, where a loan can be liquidated. */
export function health(value: Decimal): Shown {
  const cut = value.compare(ONE) < 0 ? value.truncated(2) : value;
  const text = plain(cut, 2);
  return { text, spoken: text };
}

/** 3.2×. */
export function leverage(value: Decimal): Shown {
  const digits = plain(value, 1);
  return { text: `${digits}×`, spoken: `${digits} times` };
}

/** A number of things: 1,192. */
export function count(value: Decimal): Shown {
  const text = signed(value, plain(value, 0), false);
  return { text, spoken: text };
}

const spokenSign = (value: Decimal, change: boolean): string =>
  value.isNegative ? 'minus ' : change && !value.isZero ? 'plus ' : '';
