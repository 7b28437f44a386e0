import { describedInstructions } from '@sluice/protocol/described-instructions';
import { findInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { AccountRole, Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { normalForm } from '../../packages/protocol/test/support/normal-form.ts';
import { readVectors } from '../support/vectors/account-vectors.ts';

/** Orders, ownership, settings, referrers and curators: instructions that are built and explained, not read from history. */

interface InstructionCase {
  readonly program: string;
  readonly name: string;
  readonly note: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly accounts: Readonly<Record<string, Address | null>>;
  readonly remaining: readonly { readonly address: Address; readonly role: AccountRole }[];
  readonly expected: {
    readonly programAddress: Address;
    readonly data: string;
    readonly accounts: readonly { readonly address: Address; readonly role: AccountRole }[];
  };
}

const known = describedInstructions(MAINNET_PROGRAMS);
const { cases } = readVectors<{ cases: InstructionCase[] }>('described-instructions');
const titled = cases.map((each, i) => [`${each.program}.${each.name} ${each.note} #${i}`, each] as const);

/** Younger than the SDK of the vectors, or changed since, or for the admins of the programs. */
const NOT_COVERED: readonly string[] = [
  'addUpdateWhitelistedReserve',
  'approveObligationOwnershipTransfer',
  'calculateCtokenExchangeRate',
  'cloneReserveConfig',
  'executeObligationOrder',
  'fillBorrowOrderV2',
  'setBorrowOrderV2',
  'updateGlobalConfig',
  'updateReserveAllocationV2',
];

/** Bytes at the end whose number an argument before them gives. */
const TAILS: readonly (readonly [argument: string, length: string])[] = [
  ['value', 'valueLength'],
  ['data', 'dataLength'],
  ['shortUrl', 'shortUrlLength'],
];

/** Arguments without groups, and a tail by its length. */
function flatArgs(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const flat = Object.entries(args).flatMap(([name, value]): (readonly [string, unknown])[] => {
    const tail = TAILS.find(([argument]) => argument === name);
    if (tail !== undefined) return [[tail[1], (value as string | readonly number[]).length]];
    // klend 1.26 gives the padding of an order a meaning; its bytes are compared.
    if (name.startsWith('padding')) return [];
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isGroup ? Object.entries(flatArgs(value as Record<string, unknown>)) : [[name, value]];
  });
  return Object.fromEntries(flat);
}

describe('instructions of orders, ownership, referrers and curators', () => {
  it('covers every such instruction that the SDK knows and that is built', () => {
    const covered = new Set(cases.map(({ name }) => name));
    const read = new Set([...knownInstructions(MAINNET_PROGRAMS).values()].flat());
    const { klend, kvault } = MAINNET_PROGRAMS;
    const missing = [klend, kvault]
      .flatMap((program) => known.get(program) ?? [])
      .filter((layout) => !read.has(layout) && !covered.has(layout.name));
    expect(missing.map(({ name }) => name).sort()).toEqual(NOT_COVERED);
  });

  it.each(titled)('%s has the bytes, accounts and roles that the SDK builds', (_, each) => {
    const data = Uint8Array.from(Buffer.from(each.expected.data, 'hex'));
    const layout = findInstruction(known, { ...each.expected, data });
    expect(layout.name).toBe(each.name);
    const decoded = layout.decode({ ...each.expected, data });
    expect(Object.values(decoded.accounts)).toEqual(Object.values(each.accounts));
    expect(decoded.remaining).toEqual(each.remaining);
    const built = layout.encode(
      each.expected.programAddress,
      decoded.accounts,
      decoded.args,
      decoded.remaining,
    );
    expect(built.accounts).toEqual(each.expected.accounts);
    const bytes = Buffer.from(built.data).toString('hex');
    expect(each.expected.data.slice(0, bytes.length)).toBe(bytes);
    const expected = flatArgs(each.args);
    expect(normalForm(decoded.args, expected)).toMatchObject(expected);
    const tail = TAILS.map(([, length]) => Number(expected[length] ?? 0)).reduce((a, b) => a + b, 0);
    expect(each.expected.data).toHaveLength(bytes.length + 2 * tail);
  });
});
