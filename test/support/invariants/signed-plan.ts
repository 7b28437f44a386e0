import type { KeyPair } from '@sluice/localnet/world/key-pair';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import type { BuiltInstruction } from '../../../src/builders/built-instruction.ts';
import { planTransactions } from '../../../src/builders/plan/plan.ts';
import type { UsableTable } from '../../../src/builders/transaction/lookup-tables.ts';

const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;
/** The version, three numbers and the count of accounts, which is below 128. */
const HEADER_BYTES = 5;

export interface Plan {
  readonly feePayer: Address;
  readonly instructions: readonly BuiltInstruction[];
  readonly tables: readonly UsableTable[];
  readonly blockhash: string;
  /** Makes equal plans different transactions. */
  readonly computeUnitLimit: number;
}

/** The transactions of a plan in wire format, signed with the keys that there are. Others stay zero. */
export function signedPlan(plan: Plan, keys: ReadonlyMap<Address, KeyPair>): Uint8Array[] {
  const lifetime = { blockhash: plan.blockhash, lastValidBlockHeight: 0n };
  return planTransactions({ ...plan, lifetime }).map(({ base64 }) => {
    const wire = Uint8Array.from(Buffer.from(base64, 'base64'));
    const count = wire[0] ?? 0;
    const message = wire.slice(1 + count * SIGNATURE_BYTES);
    for (let i = 0; i < count; i += 1) {
      const start = HEADER_BYTES + i * ADDRESS_BYTES;
      const signer = keys.get(addressFromBytes(message.subarray(start, start + ADDRESS_BYTES)));
      if (signer !== undefined) wire.set(signer.sign(message), 1 + i * SIGNATURE_BYTES);
    }
    return wire;
  });
}
