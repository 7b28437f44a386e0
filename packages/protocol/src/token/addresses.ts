import type { Address } from '@solana/kit';
import { derive, seed } from '../layout/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM } from '../program-ids.ts';

/** The wallet's associated token account for a mint. */
export const associatedTokenAddress = (owner: Address, tokenProgram: Address, mint: Address) =>
  derive(ASSOCIATED_TOKEN_PROGRAM, seed(owner), seed(tokenProgram), seed(mint));
