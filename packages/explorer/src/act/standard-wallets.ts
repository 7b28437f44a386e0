import { getWallets } from '@wallet-standard/app';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { useMemo, useSyncExternalStore } from 'react';

interface ConnectFeature {
  connect(input?: { readonly silent?: boolean }): Promise<{ readonly accounts: readonly WalletAccount[] }>;
}

interface EventsFeature {
  on(event: 'change', listener: () => void): () => void;
}

const CONNECT = 'standard:connect';
const EVENTS = 'standard:events';
const SIGN = 'solana:signTransaction';

/** Installed wallets that can sign a transaction of this page. */
export function useStandardWallets(): readonly Wallet[] {
  const wallets = useSyncExternalStore(followWallets, () => getWallets().get());
  return useMemo(() => wallets.filter(canAct), [wallets]);
}

function followWallets(changed: () => void): () => void {
  const stops = [getWallets().on('register', changed), getWallets().on('unregister', changed)];
  return () => {
    for (const stop of stops) stop();
  };
}

export const canAct = ({ features }: Pick<Wallet, 'features'>): boolean =>
  CONNECT in features && SIGN in features;

/**
 * Asks the wallet for an account. Silent: without a prompt, for a wallet that the user has connected before. Null when
 * the user or the wallet gives none that can sign.
 */
export async function connectWallet(wallet: Wallet, silent: boolean): Promise<WalletAccount | null> {
  const { connect } = wallet.features[CONNECT] as ConnectFeature;
  const { accounts } = await connect(silent ? { silent } : {});
  return accounts.find(({ features }) => features.includes(SIGN)) ?? null;
}

/** Calls back when the user changes the accounts of a wallet. */
export function followAccounts(wallet: Wallet, changed: () => void): () => void {
  const events = wallet.features[EVENTS] as EventsFeature | undefined;
  return events === undefined ? () => {} : events.on('change', changed);
}
