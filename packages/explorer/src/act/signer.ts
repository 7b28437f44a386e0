import { SluiceError, type TransactionSigner, walletStandardSigner } from '@sluice/client';
import type { ActWallet } from './wallet-context.tsx';

/** The chain of the Wallet Standard for a cluster of the gateway. */
export const chainOf = (cluster: string): `solana:${string}` =>
  cluster === 'mainnet-beta' ? 'solana:mainnet' : `solana:${cluster}`;

/** Signs with the wallet's extension, or in this page with the key of the localnet wallet, which is no secret. */
export async function signerOf(wallet: ActWallet, cluster: string): Promise<TransactionSigner> {
  if (wallet.kind === 'standard')
    return walletStandardSigner(wallet.wallet, wallet.account, chainOf(cluster));
  const { localnetSigner } = await import('./localnet-signer.ts');
  return await localnetSigner(wallet.secretKey);
}

/** An error of a wallet as one of the client. */
export const signingProblem = (cause: unknown): SluiceError =>
  new SluiceError(cause instanceof Error ? cause.message : 'This browser cannot sign.', {
    code: 'SIGNING_FAILED',
    retryable: false,
    cause,
  });
