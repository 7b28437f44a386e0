import { address } from './address.ts';

/** The requested lending program. */
export const programId = address(
  'Address of the lending program. Defaults to the one that this deployment serves; it has no markets of any other.',
).optional();

/** The requested vault program. */
export const vaultProgramId = address(
  'Address of the vault program. Defaults to the one that this deployment serves; it has no vaults of any other.',
).optional();
