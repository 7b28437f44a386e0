import type {
  AccountsOf,
  AccountUses,
  ArgsOf,
  EncodedInstruction,
  InstructionLayout,
} from '@sluice/protocol/layout/instruction';
import type { Fields } from '@sluice/protocol/layout/struct';
import type { AccountMeta, Address } from '@solana/kit';

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
  /** Whether the instruction after it must be in the same transaction, also where the action can be divided. */
  readonly withNext?: boolean;
  /** Whether the program accepts nothing beside it in its transaction but the compute budget. */
  readonly alone?: boolean;
  /** Compute units that it takes at most, where several of its kind can exceed the limit of a transaction. */
  readonly units?: number;
  /** Identifies an instruction that another one of the same transaction names by its position. */
  readonly mark?: symbol;
  /** For an instruction that names another one by its position, which is known once the transaction is laid out. */
  readonly names?: NamedPosition;
}

/** The data of an instruction that contains the position of another one. */
export interface NamedPosition {
  readonly mark: symbol;
  /** @param position from 0, in the transaction */
  readonly data: (position: number) => Uint8Array;
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
  /** Base units of shares below which a vault deposit fails; undefined for no minimum. */
  readonly minShares?: bigint;
  /** State of the wallet's wrapped-SOL account afterwards; null when the action does not use it. */
  readonly wrappedSol: 'closed' | 'open' | null;
  /**
   * Whether a further transaction may continue after any of the instructions that does not have to stay with the next one: each
   * works alone once those before it have landed. By default the action stays in one transaction, apart from its set-up.
   */
  readonly divisible?: boolean;
}

/** Choices of the caller. */
export interface ActionOptions {
  /** Whether to close the wrapped-SOL account afterwards. By default it depends on the account's previous balance. */
  readonly unwrapSol?: boolean;
}
