import type { AccountMeta, Address } from '@solana/kit';
import type {
  AccountsOf,
  AccountUses,
  ArgsOf,
  EncodedInstruction,
  InstructionLayout,
} from '../programs/layout/instruction.ts';
import type { Fields } from '../programs/layout/struct.ts';

/** An encoded instruction with a description for humans. */
export interface BuiltInstruction extends EncodedInstruction {
  /** The program's name for it. */
  readonly name: string;
  /** One sentence that says what it does. */
  readonly summary: string;
  /** The role of each account, in the order of the accounts. */
  readonly labels: readonly string[];
  /** Prepares accounts and moves nothing of value, so it may run in a separate transaction before the action. */
  readonly setup: boolean;
}

/** An account after the named ones. */
export interface RemainingAccount extends AccountMeta {
  readonly label: string;
}

export interface InstructionNotes {
  readonly summary: string;
  readonly setup?: boolean;
  readonly remaining?: readonly RemainingAccount[];
}

/** Encodes an instruction and labels its accounts. */
export function instruction<A extends AccountUses, F extends Fields>(
  layout: InstructionLayout<A, F>,
  program: Address,
  accounts: AccountsOf<A>,
  args: ArgsOf<F>,
  { summary, setup = false, remaining = [] }: InstructionNotes,
): BuiltInstruction {
  const metas = remaining.map(({ address, role }) => ({ address, role }));
  const encoded = layout.encode(program, accounts, args, metas);
  return {
    programAddress: encoded.programAddress,
    accounts: encoded.accounts,
    data: encoded.data,
    name: layout.name,
    summary,
    labels: [...layout.accountNames, ...remaining.map(({ label }) => label)],
    setup,
  };
}

/** The result of building an action. */
export interface BuiltAction {
  /** In an order that the programs accept. */
  readonly instructions: readonly BuiltInstruction[];
  /** Requested base units (tokens, or shares for a vault withdrawal), with "all" resolved. */
  readonly amount: bigint;
  /** Whether the action moves everything there is when it executes; `amount` is then the current value of that. */
  readonly all: boolean;
  /** State of the wallet's wrapped-SOL account afterwards; null when the action does not use it. */
  readonly wrappedSol: 'closed' | 'open' | null;
}

/** Choices of the caller. */
export interface ActionOptions {
  /** Whether to close the wrapped-SOL account afterwards. By default it depends on the account's previous balance. */
  readonly unwrapSol?: boolean;
}
