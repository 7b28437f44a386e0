import type { Address } from '@solana/kit';

/** The ends of an address, for texts. */
export const shortened = (address: Address): string => `${address.slice(0, 4)}…${address.slice(-4)}`;
