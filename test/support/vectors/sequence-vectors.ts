import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import type { ObligationKey } from '@sluice/protocol/klend/addresses';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { BuiltInstruction } from '../../../src/builders/built-instruction.ts';
import type { ReadAccounts } from '../../../src/builders/read-accounts.ts';
import { accountsOf } from '../builders/lending-accounts.ts';
import { inflate, readVectors } from './account-vectors.ts';

interface WireAccount {
  readonly owner: Address;
  readonly lamports: string;
  readonly data: string;
}

interface WireCase {
  readonly name: string;
  readonly slot: string;
  readonly wallet: Address;
  readonly amount: string;
  readonly accounts: Readonly<Record<Address, WireAccount>>;
  readonly expected: readonly {
    readonly programAddress: Address;
    readonly accounts: readonly { readonly address: Address; readonly role: number }[];
    readonly data: string;
  }[];
}

type Opened = Omit<WireCase, 'accounts' | 'expected' | 'amount' | 'slot'> & {
  readonly slot: bigint;
  readonly amount: bigint;
  readonly read: ReadAccounts;
  readonly addresses: readonly Address[];
  readonly expected: readonly EncodedInstruction[];
};

/** One action as the official SDK builds it, with the accounts that it was built from, and its own fields. */
export type SequenceCase<Fields> = Opened & Fields;

export interface LendingSequence extends Opened {
  readonly action: 'deposit' | 'borrow' | 'repay' | 'withdraw';
  readonly market: Address;
  readonly reserve: Address;
  readonly key: ObligationKey;
}

export interface VaultSequence extends Opened {
  readonly action: 'deposit' | 'withdraw';
  readonly vault: Address;
}

/** The cases of `sequences-<name>.json`. */
export function sequencesOf<Fields extends object>(name: string): SequenceCase<Fields>[] {
  const vectors = readVectors<{ accounts?: WireCase['accounts']; cases: (WireCase & Fields)[] }>(
    `sequences-${name}`,
  );
  return vectors.cases.map((each) => {
    const accounts = Object.entries({ ...vectors.accounts, ...each.accounts }).map(([address, account]) => ({
      address: address as Address,
      owner: account.owner,
      data: inflate(account.data),
      lamports: BigInt(account.lamports),
    }));
    return {
      ...each,
      slot: BigInt(each.slot),
      amount: BigInt(each.amount),
      read: accountsOf(accounts),
      addresses: accounts.map(({ address }) => address),
      expected: each.expected.map(({ data, ...instruction }) => ({
        ...instruction,
        data: Uint8Array.from(Buffer.from(data, 'hex')),
      })),
    };
  });
}

export const lendingSequences = () => sequencesOf<LendingSequence>('lending');
export const vaultSequences = () => sequencesOf<VaultSequence>('vaults');

const known = knownInstructions(MAINNET_PROGRAMS);

export const nameOf = (instruction: EncodedInstruction) => decodeInstruction(known, instruction).name;

/** An instruction on one line, for comparison and for reading a failed one. */
export function line(instruction: EncodedInstruction | BuiltInstruction): string {
  const accounts = instruction.accounts.map(({ address, role }) => `${address}:${role}`).join(' ');
  return `${nameOf(instruction)} ${Buffer.from(instruction.data).toString('hex')} ${accounts}`;
}

/** Arguments of an instruction. */
export const argsOf = (instruction: EncodedInstruction): Readonly<Record<string, unknown>> =>
  decodeInstruction(known, instruction).args;
