import { float, type Json } from './json.ts';

/** With more decimals, ten to that power overflows the integer type that nodes use. */
const MAX_FLOAT_DECIMALS = 19;

/** The decimal form of an amount, without trailing zeros. */
export function uiAmountString(amount: bigint, decimals: number): string {
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  const whole = digits.slice(0, -decimals);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * An amount in base units as nodes publish it. `uiAmount` is a float by contract, and null where a node has
 * none.
 */
export function uiTokenAmount(amount: bigint, decimals: number): { readonly [key: string]: Json } {
  return {
    amount: amount.toString(),
    decimals,
    uiAmount: decimals > MAX_FLOAT_DECIMALS ? null : float(Number(amount) / 10 ** decimals),
    uiAmountString: uiAmountString(amount, decimals),
  };
}

/** The same in transaction metadata, where nodes store no float for zero. */
export function storedTokenAmount(amount: bigint, decimals: number): Json {
  const stored = uiTokenAmount(amount, decimals);
  return amount === 0n ? { ...stored, uiAmount: null } : stored;
}
