import { type ActionResult, SluiceError, type TransactionSigner } from '@sluice/client';
import { useState } from 'react';
import { signerOf, signingProblem } from './signer.ts';
import { type ActWallet, useWalletChoice } from './wallet-context.tsx';

interface Sending {
  /** Null when nothing was sent. */
  readonly send: () => Promise<ActionResult | null>;
  /** Why the last one could not be sent. */
  readonly problem: SluiceError | null;
  readonly forget: () => void;
}

/** Starts a run with the signer of the wallet. */
export function useSending(
  wallet: ActWallet,
  start: ((signer: TransactionSigner) => Promise<ActionResult | null>) | null,
): Sending {
  const { cluster } = useWalletChoice();
  const [problem, setProblem] = useState<SluiceError | null>(null);
  const send = async () => {
    setProblem(null);
    if (start === null) return null;
    try {
      return await start(await signerOf(wallet, cluster ?? 'mainnet-beta'));
    } catch (cause) {
      setProblem(cause instanceof SluiceError ? cause : signingProblem(cause));
      return null;
    }
  };
  return { send, problem, forget: () => setProblem(null) };
}
