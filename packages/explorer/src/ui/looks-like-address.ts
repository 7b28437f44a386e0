const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

/** Whether a text can be an address: 32 bytes in base58. The gateway checks it completely. */
export const looksLikeAddress = (text: string): boolean => new RegExp(`^${BASE58}{32,44}$`).test(text);

/** Whether a text can be the signature of a transaction: 64 bytes in base58. */
export const looksLikeSignature = (text: string): boolean => new RegExp(`^${BASE58}{64,88}$`).test(text);

export interface Mistyped {
  /** The text in pieces, of which the marked ones cannot be in an address. */
  readonly pieces: readonly { readonly text: string; readonly isWrong: boolean }[];
  readonly reason: string;
}

const NAMES: Readonly<Record<string, string>> = {
  '0': 'the digit 0',
  O: 'a capital O',
  I: 'a capital I',
  l: 'a small L',
};

/** Why a text cannot be an address. */
export function mistyped(text: string): Mistyped {
  const pieces = [...text.matchAll(new RegExp(`${BASE58}+|[^1-9A-HJ-NP-Za-km-z]`, 'gu'))].map(([piece]) => ({
    text: piece,
    isWrong: !new RegExp(`^${BASE58}`).test(piece),
  }));
  const wrong = pieces.find(({ isWrong }) => isWrong)?.text;
  if (wrong !== undefined)
    return { pieces, reason: `Addresses never contain ${NAMES[wrong] ?? `the character “${wrong}”`}.` };
  const length = [...text].length;
  return {
    pieces,
    reason: `Addresses have 32 to 44 letters and digits; this has ${length}.`,
  };
}
