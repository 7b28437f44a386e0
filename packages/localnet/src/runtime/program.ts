import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { Address } from '@solana/kit';
import type { InstructionAccount } from './instruction-account.ts';

export interface Clock {
  readonly slot: bigint;
  /** Unix seconds. */
  readonly unixTimestamp: bigint;
}

/** One run of a program: by an instruction of the transaction, or by a call from another program. */
export interface Invocation {
  readonly program: Address;
  readonly accounts: readonly InstructionAccount[];
  readonly data: Uint8Array;
  readonly clock: Clock;
  /** 1 for an instruction of the transaction, one more for each call. */
  readonly stackHeight: number;
  /** The instructions of the transaction and the position of the one that runs, as in the instructions sysvar. */
  readonly transaction: {
    readonly instructions: readonly EncodedInstruction[];
    readonly index: number;
  };
  /** Writes a line `Program log: …`; a built-in program's line has no prefix. */
  log(message: string): void;
  /** Writes a line `Program data: …`, which carries an event. */
  logData(data: Uint8Array): void;
  /** Sets the data that the caller, or the simulation of the transaction, receives from this run. */
  setReturnData(data: Uint8Array): void;
  /** Counts compute units; throws once the transaction has used up its limit. */
  consume(units: number): void;
  /**
   * Calls another program. Privileges must be held by this invocation, except that `signers` names the addresses derived
   * from this program for which it signs. Returns what the called program returned, or null.
   */
  invoke(instruction: EncodedInstruction, signers?: readonly Address[]): Uint8Array | null;
}

/** A program of the localnet. A failure is thrown as an InstructionError. */
export interface Program {
  readonly address: Address;
  /** Part of the node itself: its logs have no prefix and do not state the compute units used. */
  readonly isBuiltin?: boolean;
  run(invocation: Invocation): void;
}
