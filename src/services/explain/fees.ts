import { COMPUTE_BUDGET_PROGRAM } from '@sluice/protocol/program-ids';
import { setComputeUnitLimit, setComputeUnitPrice } from '@sluice/protocol/system/instructions';
import type { Address } from '@solana/kit';
import type { NamedInstruction } from '../../builders/signing/named-instructions.ts';
import { MAX_COMPUTE_UNITS } from '../../builders/transaction/compute-budget.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO = 1_000_000n;

/** Native programs that check signatures. Each signature costs a fee. */
const SIGNATURE_PROGRAMS: readonly Address[] = [
  'Ed25519SigVerify111111111111111111111111111' as Address,
  'KeccakSecp256k11111111111111111111111111111' as Address,
  'Secp256r1SigVerify1111111111111111111111111' as Address,
];

export interface TransactionFees {
  /** Null when the transaction sets none. */
  readonly computeUnitLimit: number | null;
  /** Micro-lamports per compute unit; null when the transaction sets none. */
  readonly computeUnitPrice: bigint | null;
  /** Lamports; null when it depends on more than the transaction says. */
  readonly networkFeeLamports: bigint | null;
}

/** 5000 lamports per signature, and the price of the compute units, rounded up. */
export function feesOf(instructions: readonly NamedInstruction[], signatures: number): TransactionFees {
  const argOf = (layout: { readonly name: string }, arg: string) =>
    instructions.find((each) => each.programAddress === COMPUTE_BUDGET_PROGRAM && each.name === layout.name)
      ?.args?.[arg] ?? null;
  const units = argOf(setComputeUnitLimit, 'units');
  const price = argOf(setComputeUnitPrice, 'microLamports');
  const computeUnitLimit = typeof units === 'number' ? units : null;
  const computeUnitPrice = typeof price === 'bigint' ? price : null;
  const priority = priorityFee(computeUnitLimit, computeUnitPrice ?? 0n);
  const isKnown =
    priority !== null && !instructions.some((each) => SIGNATURE_PROGRAMS.includes(each.programAddress));
  const networkFeeLamports = isKnown ? LAMPORTS_PER_SIGNATURE * BigInt(signatures) + priority : null;
  return { computeUnitLimit, computeUnitPrice, networkFeeLamports };
}

/** Without a limit, the cluster has one of its own. */
function priorityFee(limit: number | null, price: bigint): bigint | null {
  if (price === 0n) return 0n;
  if (limit === null) return null;
  const units = BigInt(Math.min(limit, MAX_COMPUTE_UNITS));
  return (units * price + MICRO - 1n) / MICRO;
}
