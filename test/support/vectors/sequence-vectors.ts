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

interface LendingWireCase extends WireCase {
  readonly action: 'deposit' | 'borrow' | 'repay' | 'withdraw';
  readonly market: Address;
  readonly reserve: Address;
  readonly key: ObligationKey;
}

interface VaultWireCase extends WireCase {
  readonly action: 'deposit' | 'withdraw';
  readonly vault: Address;
}

interface ElevationWireCase extends WireCase {
  readonly market: Address;
  readonly obligation: Address;
  readonly group: number;
}

interface LiquidationWireCase extends WireCase {
  readonly obligation: Address;
  readonly repayReserve: Address;
  readonly withdrawReserve: Address;
  /** Base units of the collateral's token. */
  readonly minReceived: string;
}

interface LeverageWireCase extends WireCase {
  /** Which function of the SDK built it. */
  readonly by: 'deposit' | 'increase' | 'decrease' | 'close' | 'repay';
  readonly market: Address;
  readonly collateralReserve: Address;
  readonly debtReserve: Address;
  readonly key: ObligationKey;
  /** Collateral of the wallet's own, base units. `amount` is what the SDK asks the swap to spend. */
  readonly own: string;
}

interface ClaimWireCase extends WireCase {
  readonly farm: Address;
  readonly user: Address;
}

/** One action as the official SDK builds it, with the accounts that it was built from. */
export type SequenceCase<C extends WireCase> = Omit<C, 'accounts' | 'expected' | 'amount' | 'slot'> & {
  readonly slot: bigint;
  readonly amount: bigint;
  readonly read: ReadAccounts;
  readonly addresses: readonly Address[];
  readonly expected: readonly EncodedInstruction[];
};

function opened<C extends WireCase>(file: string): SequenceCase<C>[] {
  const vectors = readVectors<{ accounts?: WireCase['accounts']; cases: C[] }>(file);
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

export const lendingSequences = () => opened<LendingWireCase>('sequences-lending');
export const vaultSequences = () => opened<VaultWireCase>('sequences-vaults');

export const elevationSequences = () => opened<ElevationWireCase>('sequences-elevation');
export const liquidationSequences = () => opened<LiquidationWireCase>('sequences-liquidation');
export const leverageSequences = () => opened<LeverageWireCase>('sequences-leverage');
export const claimSequences = () => opened<ClaimWireCase>('sequences-claims');

export type LendingSequence = SequenceCase<LendingWireCase>;
export type VaultSequence = SequenceCase<VaultWireCase>;
export type ElevationSequence = SequenceCase<ElevationWireCase>;
export type LiquidationSequence = SequenceCase<LiquidationWireCase>;
export type LeverageSequenceCase = SequenceCase<LeverageWireCase>;
export type ClaimSequence = SequenceCase<ClaimWireCase>;

const known = knownInstructions(MAINNET_PROGRAMS);

export const nameOf = (instruction: EncodedInstruction) => decodeInstruction(known, instruction).name;

/** An instruction on one line, for comparison and for reading a failed one. */
export function line(instruction: EncodedInstruction | BuiltInstruction): string {
  const accounts = instruction.accounts.map(({ address, role }) => `${address}:${role}`).join(' ');
  return `${nameOf(instruction)} ${Buffer.from(instruction.data).toString('hex')} ${accounts}`;
}

/** What an account may be used for in an instruction. */
export const argsOf = (instruction: EncodedInstruction): Readonly<Record<string, unknown>> =>
  decodeInstruction(known, instruction).args;
