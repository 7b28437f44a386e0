import { viewOf } from '@sluice/protocol/layout/account';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { Refusal } from './refusal.ts';

const MAX_UNITS = 1_400_000;
const UNITS_PER_INSTRUCTION = 200_000;
const UNITS_PER_BUILTIN_INSTRUCTION = 3_000;
const BUILTINS: ReadonlySet<string> = new Set([SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM]);
const MIN_HEAP_BYTES = 32 * 1_024;
const MAX_HEAP_BYTES = 256 * 1_024;
const MAX_LOADED_BYTES = 64 * 1_024 * 1_024;
const MICRO = 1_000_000n;

export interface ComputeBudget {
  readonly unitLimit: number;
  /** Millionths of a lamport per compute unit. */
  readonly unitPrice: bigint;
  /** Lamports on top of the fee for the signatures. */
  readonly priorityFee: bigint;
  /** Bytes of all accounts together. */
  readonly loadedBytesLimit: number;
}

/** The number that each request of a transaction carries, by the tag of the instruction. */
const TAGS = { heap: 1, unitLimit: 2, unitPrice: 3, loadedBytes: 4 } as const;

/** Budget that the transaction's compute-budget instructions ask for. */
export function computeBudgetOf(
  instructions: readonly Pick<EncodedInstruction, 'programAddress' | 'data'>[],
): ComputeBudget {
  const requested = new Map<number, bigint>();
  instructions.forEach(({ programAddress, data }, index) => {
    if (programAddress !== COMPUTE_BUDGET_PROGRAM) return;
    const value = requestedValue(data);
    if (value === null) throw new Refusal({ InstructionError: [index, 'InvalidInstructionData'] });
    const tag = data[0] ?? 0;
    if (requested.has(tag)) throw new Refusal({ DuplicateInstruction: index });
    requested.set(tag, value);
  });
  const loadedBytes = requested.get(TAGS.loadedBytes);
  if (loadedBytes === 0n) throw new Refusal('InvalidLoadedAccountsDataSizeLimit');
  const unitLimit = Math.min(
    MAX_UNITS,
    Number(requested.get(TAGS.unitLimit) ?? defaultUnitLimit(instructions)),
  );
  const unitPrice = requested.get(TAGS.unitPrice) ?? 0n;
  const microLamports = BigInt(unitLimit) * unitPrice;
  return {
    unitLimit,
    unitPrice,
    priorityFee: (microLamports + MICRO - 1n) / MICRO,
    loadedBytesLimit: Math.min(MAX_LOADED_BYTES, Number(loadedBytes ?? MAX_LOADED_BYTES)),
  };
}

/** Null for data that the program does not accept. */
function requestedValue(data: Uint8Array): bigint | null {
  const view = viewOf(data);
  const isPrice = data[0] === TAGS.unitPrice;
  if (data.length < (isPrice ? 9 : 5)) return null;
  if (isPrice) return view.getBigUint64(1, true);
  const value = view.getUint32(1, true);
  switch (data[0]) {
    case TAGS.heap: {
      const isValid = value >= MIN_HEAP_BYTES && value <= MAX_HEAP_BYTES && value % 1_024 === 0;
      return isValid ? BigInt(value) : null;
    }
    case TAGS.unitLimit:
    case TAGS.loadedBytes:
      return BigInt(value);
    default:
      return null;
  }
}

function defaultUnitLimit(instructions: readonly Pick<EncodedInstruction, 'programAddress'>[]): number {
  return instructions.reduce(
    (sum, { programAddress }) =>
      sum + (BUILTINS.has(programAddress) ? UNITS_PER_BUILTIN_INSTRUCTION : UNITS_PER_INSTRUCTION),
    0,
  );
}
