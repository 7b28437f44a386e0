import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { COMPUTE_BUDGET_PROGRAM } from '@sluice/protocol/program-ids';
import { setComputeUnitLimit, setComputeUnitPrice } from '@sluice/protocol/system/instructions';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';

/** Maximum for one transaction. */
export const MAX_COMPUTE_UNITS = 1_400_000;

export interface ComputeOptions {
  /** 1 to 1 400 000. */
  readonly computeUnitLimit?: number;
  /** Millionths of a lamport per compute unit. */
  readonly priorityFeeMicroLamports?: bigint;
}

/** Compute-budget instructions for the options given; empty without options. */
export function computeBudget(options: ComputeOptions): BuiltInstruction[] {
  const { computeUnitLimit: units, priorityFeeMicroLamports: price } = options;
  const instructions: BuiltInstruction[] = [];
  if (units !== undefined) {
    if (!Number.isInteger(units) || units < 1 || units > MAX_COMPUTE_UNITS) {
      throw outOfRange('computeUnitLimit', units, 1, MAX_COMPUTE_UNITS);
    }
    const summary = `Set the compute limit to ${units} units`;
    instructions.push(instruction(setComputeUnitLimit, COMPUTE_BUDGET_PROGRAM, {}, { units }, { summary }));
  }
  if (price !== undefined) {
    if (price < 0n || price > U64_MAX) throw outOfRange('priorityFeeMicroLamports', price, 0, U64_MAX);
    const summary = `Set the priority fee to ${price} micro-lamports per compute unit`;
    const args = { microLamports: price };
    instructions.push(instruction(setComputeUnitPrice, COMPUTE_BUDGET_PROGRAM, {}, args, { summary }));
  }
  return instructions;
}

function outOfRange(what: string, value: number | bigint, min: number, max: number | bigint): CodedError {
  const context = { what, value: String(value), min: String(min), max: String(max) };
  return new SluiceError('NUMBER_OUT_OF_RANGE', context);
}
