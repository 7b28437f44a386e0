import type { Address, ProgramDerivedAddress } from '@solana/kit';
import type { Json } from './normalise.ts';

/** The SDK's helpers answer with the address alone or with its bump. */
export type Derived = Address | ProgramDerivedAddress;
type Inputs = Record<string, Address | bigint | string | number>;

export function addressCase(name: string, source: string, inputs: Inputs, derived: Derived): Json {
  const [address, bump] = typeof derived === 'string' ? [derived, null] : derived;
  const plain = Object.entries(inputs).map(([key, value]) => [
    key,
    typeof value === 'bigint' ? `${value}` : value,
  ]);
  return { name, inputs: Object.fromEntries(plain), address, ...(bump === null ? {} : { bump }), source };
}
