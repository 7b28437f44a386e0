import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { type Address, isSignerRole, isWritableRole } from '@solana/kit';
import type { AccountOverlay } from './account-overlay.ts';
import { InstructionAccount } from './instruction-account.ts';
import { InstructionError } from './instruction-error.ts';
import type { Clock, Invocation, Program } from './program.ts';

const MAX_STACK_HEIGHT = 5;
/** Instructions of the transaction and calls together. */
const MAX_TRACE_LENGTH = 64;
/** Cost of a call from one program to another, without the work of the callee. */
const CALL_UNITS = 1_000;

export interface InnerInstruction {
  readonly instruction: EncodedInstruction;
  readonly stackHeight: number;
}

export interface ReturnData {
  readonly program: Address;
  readonly data: Uint8Array;
}

export interface ExecutionOptions {
  readonly accounts: AccountOverlay;
  readonly programs: ReadonlyMap<Address, Program>;
  readonly clock: Clock;
  readonly instructions: readonly EncodedInstruction[];
  readonly computeUnitLimit: number;
}

/** Runs the instructions of one transaction in order. The first failure ends it. */
export class Execution {
  readonly logs: string[] = [];
  /** By instruction of the transaction, in the order of the calls. */
  readonly inner: InnerInstruction[][];
  readonly #options: ExecutionOptions;
  /** Accounts that instructions and calls can refer to. */
  readonly #named: ReadonlySet<Address>;
  /** The programs that are running, each called by the one before it. */
  readonly #stack: Address[] = [];
  #traceLength = 0;
  #unitsConsumed = 0;
  #returnData: ReturnData | null = null;

  constructor(options: ExecutionOptions) {
    this.#options = options;
    this.inner = options.instructions.map(() => []);
    this.#named = new Set(
      options.instructions.flatMap(({ programAddress, accounts }) => [
        programAddress,
        ...accounts.map(({ address }) => address),
      ]),
    );
  }

  get unitsConsumed(): number {
    return this.#unitsConsumed;
  }

  /** Return data of the program that ran last; null when it returned nothing. */
  get returnData(): ReturnData | null {
    return this.#returnData;
  }

  /** Throws an InstructionError; the accounts then hold a partial result, to be discarded. */
  run(index: number): void {
    const instruction = this.#options.instructions[index];
    if (instruction === undefined) throw new RangeError(`The transaction has no instruction ${index}`);
    const accounts = this.#accountsOf(instruction);
    this.#runProgram(index, instruction, accounts, 1);
  }

  #accountsOf({ programAddress, accounts }: EncodedInstruction): InstructionAccount[] {
    return accounts.map(
      ({ address, role }) =>
        new InstructionAccount(
          this.#options.accounts,
          programAddress,
          address,
          isSignerRole(role),
          isWritableRole(role),
        ),
    );
  }

  #runProgram(
    index: number,
    { programAddress, data }: EncodedInstruction,
    accounts: readonly InstructionAccount[],
    stackHeight: number,
  ): void {
    this.#traceLength += 1;
    if (this.#traceLength > MAX_TRACE_LENGTH) throw new InstructionError('MaxInstructionTraceLengthExceeded');
    const program = this.#options.programs.get(programAddress);
    if (program === undefined) throw new InstructionError('UnsupportedProgramId');
    this.logs.push(`Program ${programAddress} invoke [${stackHeight}]`);
    this.#returnData = null;
    const unitsBefore = this.#unitsConsumed;
    const lamportsBefore = this.#lamportsOf(accounts);
    const limit = this.#options.computeUnitLimit;
    const used = () => {
      if (program.isBuiltin) return;
      this.logs.push(
        `Program ${programAddress} consumed ${this.#unitsConsumed - unitsBefore} of ${limit - unitsBefore} compute units`,
      );
    };
    this.#stack.push(programAddress);
    try {
      program.run(this.#invocation(index, programAddress, data, accounts, stackHeight));
      if (this.#lamportsOf(accounts) !== lamportsBefore) throw new InstructionError('UnbalancedInstruction');
    } catch (error) {
      if (!(error instanceof InstructionError)) throw error;
      used();
      this.logs.push(`Program ${programAddress} failed: ${error.message}`);
      throw error;
    } finally {
      this.#stack.pop();
    }
    used();
    this.#logReturnData(programAddress);
    this.logs.push(`Program ${programAddress} success`);
  }

  #logReturnData(program: Address): void {
    if (this.#returnData?.program !== program) return;
    this.logs.push(`Program return: ${program} ${Buffer.from(this.#returnData.data).toString('base64')}`);
  }

  #invocation(
    index: number,
    program: Address,
    data: Uint8Array,
    accounts: readonly InstructionAccount[],
    stackHeight: number,
  ): Invocation {
    const { clock, instructions, programs } = this.#options;
    const prefix = programs.get(program)?.isBuiltin ? '' : 'Program log: ';
    return {
      program,
      accounts,
      data,
      clock,
      stackHeight,
      transaction: { instructions, index },
      log: (message) => this.logs.push(`${prefix}${message}`),
      logData: (bytes) => this.logs.push(`Program data: ${Buffer.from(bytes).toString('base64')}`),
      setReturnData: (bytes) => {
        this.#returnData = { program, data: bytes };
      },
      consume: (units) => this.#consume(units),
      invoke: (called, signers = []) => {
        this.#consume(CALL_UNITS);
        this.#call(index, called, accounts, signers, stackHeight + 1);
        return this.#returnData?.data ?? null;
      },
    };
  }

  #call(
    index: number,
    called: EncodedInstruction,
    callerAccounts: readonly InstructionAccount[],
    signers: readonly Address[],
    stackHeight: number,
  ): void {
    if (stackHeight > MAX_STACK_HEIGHT) throw new InstructionError('CallDepth');
    if (!this.#named.has(called.programAddress)) {
      this.logs.push(`Unknown program ${called.programAddress}`);
      throw new InstructionError('MissingAccount');
    }
    // A program may call itself, but not be called back by another one.
    if (this.#stack.includes(called.programAddress) && this.#stack.at(-1) !== called.programAddress) {
      throw new InstructionError('ReentrancyNotAllowed');
    }
    for (const { address, role } of called.accounts) {
      const held = callerAccounts.filter((account) => account.address === address);
      if (held.length === 0) throw new InstructionError('MissingAccount');
      const mayWrite = held.some(({ isWritable }) => isWritable);
      const maySign = signers.includes(address) || held.some(({ isSigner }) => isSigner);
      const escalated =
        isWritableRole(role) && !mayWrite ? 'writable' : isSignerRole(role) && !maySign ? 'signer' : null;
      if (escalated !== null) {
        this.logs.push(`${address}'s ${escalated} privilege escalated`);
        throw new InstructionError('PrivilegeEscalation');
      }
    }
    this.inner[index]?.push({ instruction: called, stackHeight });
    this.#runProgram(index, called, this.#accountsOf(called), stackHeight);
  }

  #consume(units: number): void {
    this.#unitsConsumed += units;
    if (this.#unitsConsumed <= this.#options.computeUnitLimit) return;
    this.#unitsConsumed = this.#options.computeUnitLimit;
    throw new InstructionError('ComputationalBudgetExceeded');
  }

  #lamportsOf(accounts: readonly InstructionAccount[]): bigint {
    let total = 0n;
    for (const address of new Set(accounts.map((account) => account.address))) {
      total += this.#options.accounts.get(address).lamports;
    }
    return total;
  }
}
