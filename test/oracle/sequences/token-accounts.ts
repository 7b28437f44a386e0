import { type Address, none, some } from '@solana/kit';
import { findAssociatedTokenPda, getTokenEncoder } from '@solana-program/token';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../constants.ts';
import { type FixedChain, TOKEN_ACCOUNT_RENT } from './fixed-chain.ts';

/** A wallet's account for a mint. */
export async function putTokenAccount(
  chain: FixedChain,
  owner: Address,
  mint: Address,
  amount: bigint,
  tokenProgram: Address = TOKEN_PROGRAM,
): Promise<void> {
  const [address] = await findAssociatedTokenPda({ owner, mint, tokenProgram });
  const isSol = mint === WRAPPED_SOL_MINT;
  const data = getTokenEncoder().encode({
    mint,
    owner,
    amount,
    delegate: none(),
    state: 1,
    isNative: isSol ? some(TOKEN_ACCOUNT_RENT) : none(),
    delegatedAmount: 0n,
    closeAuthority: none(),
  });
  chain.put(address, tokenProgram, new Uint8Array(data), TOKEN_ACCOUNT_RENT + (isSol ? amount : 0n));
}
