import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { Address } from '@solana/kit';
import type { StoredAccount } from '../../../src/chain.ts';
import { AccountOverlay, type AccountReader } from '../../../src/runtime/account-overlay.ts';
import { Execution, type InnerInstruction } from '../../../src/runtime/execution.ts';
import { InstructionError, type InstructionFailure } from '../../../src/runtime/instruction-error.ts';
import type { Clock, Program } from '../../../src/runtime/program.ts';

export interface BenchResult {
  /** Null when all instructions succeeded. */
  readonly failure: { readonly index: number; readonly reason: InstructionFailure } | null;
  readonly logs: readonly string[];
  readonly inner: readonly (readonly InnerInstruction[])[];
  readonly unitsConsumed: number;
  /** Return data of the program that ran last; null when it returned nothing. */
  readonly returned: Uint8Array | null;
}

/** Runs instructions against accounts in memory, without the checks of a whole transaction. */
export class ProgramBench implements AccountReader {
  readonly #base: AccountReader;
  readonly #programs: ReadonlyMap<Address, Program>;
  readonly #accounts = new Map<Address, StoredAccount>();
  clock: Clock;

  constructor(programs: Iterable<Program>, clock: Clock, base: AccountReader = { get: () => undefined }) {
    this.#programs = new Map([...programs].map((program) => [program.address, program]));
    this.clock = clock;
    this.#base = base;
  }

  get(address: Address): StoredAccount | undefined {
    return this.#accounts.get(address) ?? this.#base.get(address);
  }

  set(address: Address, account: StoredAccount): void {
    this.#accounts.set(address, account);
  }

  /** Runs them as one transaction: all take effect, or none. */
  run(instructions: readonly EncodedInstruction[], computeUnitLimit = 1_400_000): BenchResult {
    const accounts = new AccountOverlay(this);
    const execution = new Execution({
      accounts,
      programs: this.#programs,
      clock: this.clock,
      instructions,
      computeUnitLimit,
    });
    let failure: BenchResult['failure'] = null;
    for (let index = 0; index < instructions.length && failure === null; index += 1) {
      try {
        execution.run(index);
      } catch (error) {
        if (!(error instanceof InstructionError)) throw error;
        failure = { index, reason: error.failure };
      }
    }
    if (failure === null) for (const [address, account] of accounts.changed) this.set(address, account);
    const { logs, inner, unitsConsumed, returnData } = execution;
    return { failure, logs, inner, unitsConsumed, returned: returnData?.data ?? null };
  }
}
