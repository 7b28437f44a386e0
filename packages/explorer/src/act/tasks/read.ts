import { Decimal } from '@sluice/client';
import { looksLikeAddress } from '../../ui/looks-like-address.ts';

/** What the text of a field means. */
export type Read<Value> =
  | { readonly kind: 'empty' }
  | { readonly kind: 'value'; readonly value: Value }
  | { readonly kind: 'mistake'; readonly message: string };

export type Reader<Value> = (text: string) => Read<Value>;

const EMPTY = { kind: 'empty' } as const;
const ALL = 'all';
const NONE = 'none';

/** The address that takes an address away. */
export const NO_ADDRESS = '11111111111111111111111111111111';

const value = <Value>(read: Value): Read<Value> => ({ kind: 'value', value: read });
const mistake = (message: string) => ({ kind: 'mistake', message }) as const;
const isEmpty = (text: string): boolean => text.trim() === '';

export interface TokenUnit {
  readonly symbol: string;
  readonly decimals: number;
}

/** Whole tokens, from 0. */
export const readTokens =
  ({ symbol, decimals }: TokenUnit): Reader<string> =>
  (text) => {
    if (isEmpty(text)) return EMPTY;
    const amount = Decimal.parse(text);
    if (amount === null || amount.isNegative)
      return mistake('Write a number with a decimal point, such as 12.5.');
    if (amount.places > decimals) return mistake(`${symbol} has at most ${decimals} decimal places.`);
    return value(amount.toString());
  };

type Amount = { readonly tokens: string } | { readonly all: 'ALL' };

/** An amount above 0. `all` is everything, where that is allowed. */
export const readAmount =
  (unit: TokenUnit, takesAll: boolean): Reader<Amount> =>
  (text) => {
    if (takesAll && text.trim().toLowerCase() === ALL) return value({ all: 'ALL' });
    const read = readTokens(unit)(text);
    if (read.kind !== 'value') return read;
    return read.value === '0' ? mistake('Write an amount above 0.') : value({ tokens: read.value });
  };

/** Whole shares above 0, or `all`. */
export const readShares =
  (unit: TokenUnit): Reader<{ readonly shares: string } | { readonly all: 'ALL' }> =>
  (text) => {
    const read = readAmount(unit, true)(text);
    if (read.kind !== 'value') return read;
    return value('all' in read.value ? read.value : { shares: read.value.tokens });
  };

/** Whole tokens, or `none` for no cap. */
export const readCap =
  (unit: TokenUnit): Reader<{ readonly tokens: string } | { readonly none: 'NONE' }> =>
  (text) => {
    if (text.trim().toLowerCase() === NONE) return value({ none: 'NONE' });
    const read = readTokens(unit)(text);
    if (read.kind === 'mistake') return mistake(`${read.message} Or write “none”.`);
    return read.kind === 'value' ? value({ tokens: read.value }) : read;
  };

/** Digits of a number from 0. */
export const readWhole =
  (most: bigint): Reader<string> =>
  (text) => {
    if (isEmpty(text)) return EMPTY;
    if (!/^\d+$/.test(text.trim()) || BigInt(text.trim()) > most)
      return mistake(`Write a whole number from 0 to ${most.toLocaleString('en')}.`);
    return value(BigInt(text.trim()).toString());
  };

/** Percent as basis points. */
export const readBps =
  (mostBps: bigint): Reader<number> =>
  (text) => {
    if (isEmpty(text)) return EMPTY;
    const percent = Decimal.parse(text);
    const most = Decimal.fromBaseUnits(mostBps, 2);
    if (percent === null || percent.isNegative || percent.compare(most) > 0)
      return mistake(`Write percent from 0 to ${most}.`);
    if (percent.places > 2) return mistake('A percentage has at most 2 decimal places.');
    return value(Number(percent.toBaseUnits(2)));
  };

const DAY_SECONDS = 86_400n;

/** Days as seconds. */
export const readDays: Reader<string> = (text) => {
  const read = readWhole(100_000n)(text);
  return read.kind === 'value' ? value(String(BigInt(read.value) * DAY_SECONDS)) : read;
};

/** A multiple above 1, such as 2.5. */
export const readMultiple: Reader<Decimal> = (text) => {
  if (isEmpty(text)) return EMPTY;
  const multiple = Decimal.parse(text);
  if (multiple === null || multiple.compare(Decimal.of('1')) <= 0)
    return mistake('Write a number above 1, such as 2.5.');
  return value(multiple);
};

export const readAddress: Reader<string> = (text) => {
  if (isEmpty(text)) return EMPTY;
  return looksLikeAddress(text.trim()) ? value(text.trim()) : mistake('This is not an address.');
};

/** An address, or `none` to take away the present one. */
export const readAddressOrNone: Reader<string> = (text) => {
  if (text.trim().toLowerCase() === NONE) return value(NO_ADDRESS);
  const read = readAddress(text);
  return read.kind === 'mistake' ? mistake(`${read.message} Or write “none”.`) : read;
};

/** Text of at most so many bytes in UTF-8. */
export const readText =
  (mostBytes: number): Reader<string> =>
  (text) => {
    if (isEmpty(text)) return EMPTY;
    return new TextEncoder().encode(text.trim()).length > mostBytes
      ? mistake(`At most ${mostBytes} bytes.`)
      : value(text.trim());
  };
