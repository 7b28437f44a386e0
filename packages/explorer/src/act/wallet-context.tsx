import { graphql } from '@sluice/client';
import { useSession, useSluiceQuery } from '@sluice/client/react';
import { useQuery } from '@tanstack/react-query';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import { type LocalnetWallet, readLocalnetWallet } from './localnet-wallet.ts';
import { rememberedWallet, rememberWallet } from './remembered-wallet.ts';
import { connectWallet, followAccounts, useStandardWallets } from './standard-wallets.ts';

const CLUSTER = graphql(`query Cluster { chain { cluster } }`);

/** A wallet that can sign on this page. */
export type ActWallet =
  | ({ readonly kind: 'localnet'; readonly name: string } & LocalnetWallet)
  | {
      readonly kind: 'standard';
      readonly name: string;
      readonly address: string;
      readonly wallet: Wallet;
      readonly account: WalletAccount;
    };

export interface WalletChoice {
  /** Null until the user chooses one. */
  readonly wallet: ActWallet | null;
  /** Null unless the gateway serves the localnet. */
  readonly localnet: LocalnetWallet | null;
  /** Installed wallets that can sign. */
  readonly installed: readonly Wallet[];
  /** The cluster of the gateway. Null until it is known. */
  readonly cluster: string | null;
  readonly chooseLocalnet: () => void;
  /** Returns the address, or null when the wallet gave no account that can sign. Rejects when the user refuses. */
  readonly connect: (wallet: Wallet) => Promise<string | null>;
  readonly forget: () => void;
}

const WalletContext = createContext<WalletChoice | null>(null);

type Chosen =
  | { readonly kind: 'localnet' }
  | { readonly kind: 'standard'; readonly wallet: Wallet; readonly account: WalletAccount };

export function WalletProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const { client } = useSession();
  const cluster = useSluiceQuery(CLUSTER, {}).data?.data.chain.cluster ?? null;
  const installed = useStandardWallets();
  const [chosen, choose] = useState<Chosen | null>(() =>
    rememberedWallet()?.kind === 'localnet' ? { kind: 'localnet' } : null,
  );
  const { data: localnet = null } = useQuery({
    queryKey: ['localnet-wallet'],
    queryFn: ({ signal }) => readLocalnetWallet(client.url, signal),
    // Elsewhere the file does not exist, and the browser would log the request as an error.
    enabled: cluster === 'localnet',
    staleTime: Number.POSITIVE_INFINITY,
  });

  const forget = useCallback(() => {
    rememberWallet(null);
    choose(null);
  }, []);
  const take = useCallback(async (wallet: Wallet, silent: boolean) => {
    const account = await connectWallet(wallet, silent);
    if (account !== null) {
      rememberWallet({ kind: 'standard', name: wallet.name });
      choose({ kind: 'standard', wallet, account });
    }
    return account?.address ?? null;
  }, []);

  useEffect(() => {
    const remembered = rememberedWallet();
    if (chosen !== null || remembered?.kind !== 'standard') return;
    const wallet = installed.find(({ name }) => name === remembered.name);
    // A wallet that wants to ask first is connected again by its button.
    if (wallet !== undefined) take(wallet, true).catch(forget);
  }, [installed, chosen, take, forget]);

  useEffect(() => {
    if (chosen?.kind !== 'standard') return;
    const { wallet } = chosen;
    return followAccounts(wallet, () => {
      if (wallet.accounts.length === 0) forget();
      else take(wallet, true).catch(forget);
    });
  }, [chosen, take, forget]);

  const choice = useMemo<WalletChoice>(
    () => ({
      wallet: walletOf(chosen, localnet),
      localnet,
      installed,
      cluster,
      chooseLocalnet: () => {
        rememberWallet({ kind: 'localnet' });
        choose({ kind: 'localnet' });
      },
      connect: (wallet) => take(wallet, false),
      forget,
    }),
    [chosen, localnet, installed, cluster, take, forget],
  );
  return <WalletContext value={choice}>{children}</WalletContext>;
}

function walletOf(chosen: Chosen | null, localnet: LocalnetWallet | null): ActWallet | null {
  if (chosen === null) return null;
  if (chosen.kind === 'localnet')
    return localnet && { kind: 'localnet', name: 'Localnet wallet', ...localnet };
  const { wallet, account } = chosen;
  return { kind: 'standard', name: wallet.name, address: account.address, wallet, account };
}

/** The wallet that acts on this page, and those that could. */
export function useWalletChoice(): WalletChoice {
  const choice = useContext(WalletContext);
  if (choice === null) throw new Error('Wallets need a <WalletProvider> above them.');
  return choice;
}
