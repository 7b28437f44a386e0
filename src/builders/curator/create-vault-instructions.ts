import { initVault } from '@sluice/protocol/kvault/curator-instructions';
import { FIRST_DEPOSIT, vaultState } from '@sluice/protocol/kvault/vault-state';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { createAccount } from '@sluice/protocol/system/account-instructions';
import { rentExemptLamports } from '@sluice/protocol/sysvar/rent';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import { createTokenAccount, unwrapSol, wrapSol } from '../token-instructions.ts';
import type { NewVault } from './new-vault.ts';

/**
 * The account of the vault, then the vault in it. Both stay in one transaction: whoever sees an empty account of the program
 * could make it a vault of their own.
 */
export function creationInstructions(made: NewVault): BuiltInstruction[] {
  const { wallet, payer, vault, programId, mint, token, source, isSol, closes } = made;
  const { tokenProgram, decimals } = token;
  const space = vaultState.size;
  const account = instruction(
    createAccount,
    SYSTEM_PROGRAM,
    { payer, newAccount: vault },
    { lamports: rentExemptLamports(space), space: BigInt(space), owner: programId },
    { summary: `Create the account of the vault ${vault}, of ${space} bytes` },
  );
  const deposit = `${placePoint(FIRST_DEPOSIT, decimals)} tokens`;
  const opening = instruction(
    initVault,
    programId,
    {
      adminAuthority: wallet,
      vaultState: vault,
      baseVaultAuthority: made.authority.address,
      tokenVault: made.tokenVault,
      baseTokenMint: mint,
      sharesMint: made.sharesMint,
      adminTokenAccount: source.address,
      systemProgram: SYSTEM_PROGRAM,
      rent: RENT_SYSVAR,
      tokenProgram,
      sharesTokenProgram: TOKEN_PROGRAM,
    },
    {},
    { summary: `Create a vault for token ${mint}, with a first deposit of ${deposit}` },
  );
  return [
    ...(isSol
      ? [
          createTokenAccount({ wallet, payer }, source.address, mint, tokenProgram, 'wrapped SOL'),
          ...wrapSol(wallet, source.address, FIRST_DEPOSIT),
        ]
      : []),
    account,
    opening,
    ...(closes ? [unwrapSol(wallet, source.address)] : []),
  ];
}
