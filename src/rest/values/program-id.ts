import { address } from './address.ts';

/** The requested lending program. */
export const programId = address(
  'Address of the lending program. Defaults to the one that this deployment serves; it has no markets of any other.',
).optional();
