import type { AccountMeta, Address } from '@solana/kit';
import type {
  AccountsOf,
  AccountUses,
  ArgsOf,
  EncodedInstruction,
  InstructionLayout,
} from '../programs/layout/instruction.ts';
import type { Fields } from '../programs/layout/struct.ts';

/** An instruction as the program takes it, with what a reader wants to know about it. */
export interface BuiltInstruction extends EncodedInstruction {
  /** The program's own name for it. */
  readonly name: string;
  /** What it does, in words. */
  readonly summary: string;
  /** What each account is to the instruction, in the order of the accounts. */
  readonly labels: readonly string[];
  /** Prepares accounts and moves nothing of value: may go ahead in a transaction of its own. */
  readonly setup: boolean;
}

/** An account behind the named ones. */
export interface RemainingAccount extends AccountMeta {
  readonly label: string;
}

export interface InstructionNotes {
  readonly summary: string;
  readonly setup?: boolean;
  readonly remaining?: readonly RemainingAccount[];
}

/** Encodes an instruction and keeps the names of its accounts beside them. */
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

/** What an action is built into. */
export interface BuiltAction {
  /** In an order that the programs accept. */
  readonly instructions: readonly BuiltInstruction[];
  /** Base units of what was asked for (tokens, or shares of a vault withdrawal) after "all" has been resolved. */
  readonly amount: bigint;
  /** The action takes or gives everything there is when it runs; `amount` is then what that is now. */
  readonly all: boolean;
  /** What becomes of the wallet's wrapped-SOL account; null when the action does not touch one. */
  readonly wrappedSol: 'closed' | 'open' | null;
}

/** What a caller may choose. */
export interface ActionOptions {
  /** Close the wrapped-SOL account afterwards (true) or leave it (false); decided by what it held when left out. */
  readonly unwrapSol?: boolean;
}
