import type { Address } from '@solana/kit';
import type { Program } from './program.ts';

/** The programs that the embedded chain runs. */
export const PROGRAMS: ReadonlyMap<Address, Program> = new Map(
  ([] as Program[]).map((program) => [program.address, program]),
);
