import { describe, expect, it } from 'vitest';
import { GeyserError } from '../src/index.ts';
import { decodeTransactionError, encodeTransactionError } from '../src/transaction-error.ts';

/** Bytes by bincode's rules from the numbers of the cluster's enumerations. */
const CASES = [
  ['07000000', 'BlockhashNotFound'],
  ['080000000219000000dc170000', { InstructionError: [2, { Custom: 6108 }] }],
  ['080000000005000000', { InstructionError: [0, 'InsufficientFunds'] }],
  ['1e00000003', { DuplicateInstruction: 3 }],
  ['1f00000004', { InsufficientFundsForRent: { account_index: 4 } }],
] as const;

describe('errors of transactions', () => {
  it.each(CASES)('%s', (hex, json) => {
    expect(decodeTransactionError(Buffer.from(hex, 'hex'))).toEqual(json);
    expect(Buffer.from(encodeTransactionError(json)).toString('hex')).toBe(hex);
  });

  it('are refused when they are cut off', () => {
    expect(() => decodeTransactionError(Buffer.from('0800000002', 'hex'))).toThrow(GeyserError);
    expect(() => encodeTransactionError('Nonsense')).toThrow(RangeError);
  });

  it('of later versions keep their number', () => {
    expect(decodeTransactionError(Buffer.from('ff000000', 'hex'))).toBe('Unknown255');
  });
});
