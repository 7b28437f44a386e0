import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { initUserMetadata } from '@sluice/protocol/klend/setup-instructions';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { NO_ADDRESS, type ProgramIds, RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';

/** Registers a wallet with the lending program, without a lookup table. @param referrer null for none, for good */
export function registration(
  { klend }: ProgramIds,
  wallet: Address,
  payer: Address,
  referrer: Address | null,
): BuiltInstruction {
  return instruction(
    initUserMetadata,
    klend,
    {
      owner: wallet,
      feePayer: payer,
      userMetadata: userMetadataAddress(klend, wallet).address,
      referrerUserMetadata: referrer && userMetadataAddress(klend, referrer).address,
      rent: RENT_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    { userLookupTable: NO_ADDRESS },
    {
      summary:
        referrer === null
          ? 'Register the wallet with the lending program'
          : `Register the wallet with the lending program, referred by ${referrer}`,
      setup: true,
    },
  );
}

/** The account that a registration opens. */
export function registeredAccount({ klend }: ProgramIds, owner: Address, referrer: Address | null) {
  const { bump } = userMetadataAddress(klend, owner);
  return userMetadata.encode({ owner, referrer: referrer ?? NO_ADDRESS, bump: BigInt(bump) });
}
