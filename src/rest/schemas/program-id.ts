import { address } from './address.ts';

/** The lending program that is asked about. */
export const programId = address(
  'Lending program; without it, the one that this deployment serves. Markets of any other program are not here.',
).optional();
