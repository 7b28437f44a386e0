import { createHash } from 'node:crypto';
import { readAddress } from '@sluice/protocol/layout/base58';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { transferCheckedWithFee } from '@sluice/protocol/token/fee-instructions';
import { transfer, transferChecked } from '@sluice/protocol/token/instructions';
import { burn, mintTo } from '@sluice/protocol/token/supply-instructions';
import type {
  ConfirmedInstruction,
  ConfirmedTransaction,
  TokenBalance,
} from '@sluice/protocol/transactions/confirmed-transaction';
import type { EventLookups } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';

/** An address that depends on its name alone. */
export function named(name: string): Address {
  const bytes = createHash('sha256').update(name).digest();
  return readAddress(new DataView(bytes.buffer, bytes.byteOffset, 32), 0);
}

/** The named accounts of an instruction, each at the address of its own name or of the one given. */
export function accountsOf<N extends string>(
  names: Readonly<Record<N, unknown>>,
  given: Partial<Record<NoInfer<N>, Address | null>> = {},
): Record<N, Address> {
  const entries = Object.keys(names).map((name) => [name, given[name as N] ?? named(name)]);
  return Object.fromEntries(entries) as Record<N, Address>;
}

/** An instruction and those that its program called; heights follow from the nesting. */
export interface Nested {
  readonly instruction: EncodedInstruction;
  readonly calls?: readonly Nested[];
}

export interface TransactionOptions {
  readonly failed?: boolean;
  /** False for old nodes, which report no stack heights. */
  readonly heights?: boolean;
  /** Token accounts that the transaction touched: mint and owner. */
  readonly accounts?: Readonly<Record<Address, { readonly mint: Address; readonly owner: Address | null }>>;
}

export function transactionOf(
  outer: readonly Nested[],
  options: TransactionOptions = {},
): ConfirmedTransaction {
  const { failed = false, heights = true, accounts = {} } = options;
  const accountKeys = Object.keys(accounts) as Address[];
  const balances = Object.values(accounts).map(
    ({ mint, owner }, accountIndex): TokenBalance => ({ accountIndex, mint, owner, amount: 0n }),
  );
  const flat = (calls: readonly Nested[], height: number): ConfirmedInstruction[] =>
    calls.flatMap(({ instruction, calls: inner = [] }) => [
      confirmed(instruction, heights ? height : null),
      ...flat(inner, height + 1),
    ]);
  return {
    signature: 'signature',
    slot: 7n,
    blockTime: 1_000,
    failed,
    accountKeys,
    instructions: outer.map(({ instruction }) => confirmed(instruction, heights ? 1 : null)),
    innerInstructions: outer.map(({ calls = [] }, index) => ({ index, instructions: flat(calls, 2) })),
    preTokenBalances: [],
    postTokenBalances: balances,
    preLamports: [],
    postLamports: [],
  };
}

function confirmed(
  { programAddress, accounts, data }: EncodedInstruction,
  stackHeight: number | null,
): ConfirmedInstruction {
  return { programAddress, accounts: accounts.map(({ address }) => address), data, stackHeight };
}

const authority = named('authority');

export function moves(source: Address, destination: Address, amount: bigint, mint = named('mint')): Nested {
  const accounts = { source, mint, destination, owner: authority };
  return { instruction: transferChecked.encode(TOKEN_PROGRAM, accounts, { amount, decimals: 6 }) };
}

export function movesPlainly(source: Address, destination: Address, amount: bigint): Nested {
  return {
    instruction: transfer.encode(TOKEN_PROGRAM, { source, destination, owner: authority }, { amount }),
  };
}

export function movesWithFee(
  source: Address,
  destination: Address,
  amount: bigint,
  fee: bigint,
  mint: Address,
): Nested {
  const accounts = { source, mint, destination, owner: authority };
  return {
    instruction: transferCheckedWithFee.encode(TOKEN_2022_PROGRAM, accounts, { amount, decimals: 6, fee }),
  };
}

export function mints(mint: Address, account: Address, amount: bigint): Nested {
  return { instruction: mintTo.encode(TOKEN_PROGRAM, { mint, account, authority }, { amount }) };
}

export function burns(mint: Address, account: Address, amount: bigint): Nested {
  return { instruction: burn.encode(TOKEN_PROGRAM, { mint, account, authority }, { amount }) };
}

/** An instruction of an unknown program. */
export function foreign(
  program: string,
  calls: readonly Nested[] = [],
  data = Uint8Array.of(1, 2, 3),
): Nested {
  return { instruction: { programAddress: named(program), accounts: [], data }, calls };
}

/** Lookups that know one vault, its share mint and its farm. */
export const LOOKUPS: EventLookups = {
  vaultOfShares: (mint) => (mint === named('sharesMint') ? named('vaultState') : null),
  vaultOfFarm: (farm) => (farm === named('vaultFarm') ? named('vaultState') : null),
  ownerOfObligation: () => null,
  referralFeeBps: () => null,
};
