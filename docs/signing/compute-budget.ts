import {
  type Address,
  getStructEncoder,
  getU8Encoder,
  getU32Encoder,
  getU64Encoder,
  type Instruction,
} from '@solana/kit';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111' as Address;
const unitLimit = getStructEncoder([
  ['kind', getU8Encoder()],
  ['units', getU32Encoder()],
]);
const unitPrice = getStructEncoder([
  ['kind', getU8Encoder()],
  ['microLamports', getU64Encoder()],
]);

/** Compute unit limit of a transaction and its price per unit. */
export interface ComputeBudget {
  readonly units: number;
  readonly microLamportsPerUnit: bigint;
}

/**
 * Compute budget instructions, to place first. REST bundles have none, because the budget must also cover your own
 * instructions.
 */
export function computeBudget({ units, microLamportsPerUnit }: ComputeBudget): Instruction[] {
  return [
    { programAddress: COMPUTE_BUDGET, data: unitLimit.encode({ kind: 2, units }) },
    {
      programAddress: COMPUTE_BUDGET,
      data: unitPrice.encode({ kind: 3, microLamports: microLamportsPerUnit }),
    },
  ];
}
