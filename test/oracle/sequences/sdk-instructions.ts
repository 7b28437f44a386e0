import type { AccountMeta } from '@solana/kit';
import type { AnyInstruction } from '../instructions/template.ts';
import type { Json } from '../normalise.ts';

/** Instructions that the SDK built, as the tests read them. */
export function instructionsJson(instructions: readonly AnyInstruction[]): Json {
  return instructions.map(({ programAddress, accounts = [], data }) => ({
    programAddress,
    accounts: accounts.map(({ address, role }: AccountMeta) => ({ address, role })),
    data: Buffer.from(data ?? []).toString('hex'),
  }));
}
