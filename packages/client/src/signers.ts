import { base64Of, bytesOf } from './base64.ts';
import { SluiceError } from './errors.ts';

/** Signs transactions of one wallet. `walletStandardSigner` and `kitSigner` of `@sluice/client/kit` return one. */
export interface TransactionSigner {
  /** Address of the wallet. */
  readonly address: string;
  /** Returns the transactions with the wallet's signature. Both are in wire format, as base64. */
  signTransactions(transactions: readonly string[]): Promise<readonly string[]>;
}

const SIGN_TRANSACTION = 'solana:signTransaction';

/** A wallet of the Wallet Standard, as far as it is needed here. */
export interface StandardWallet {
  readonly name: string;
  readonly features: Readonly<Record<string, unknown>>;
}

/** An account that the wallet has connected to the page. */
export interface StandardAccount {
  readonly address: string;
}

/** The feature `solana:signTransaction` of the Wallet Standard. */
interface SignTransactionFeature<Account extends StandardAccount> {
  signTransaction(
    ...inputs: readonly {
      readonly account: Account;
      readonly chain: string;
      readonly transaction: Uint8Array;
    }[]
  ): Promise<readonly { readonly signedTransaction: Uint8Array }[]>;
}

/**
 * Has the user's wallet sign. `chain` is for example `solana:mainnet`; the wallet refuses one that it does not have.
 * The wallet may show a prompt for each transaction.
 *
 * @example
 * const signer = walletStandardSigner(wallet, account, 'solana:mainnet');
 */
export function walletStandardSigner<Account extends StandardAccount>(
  wallet: StandardWallet,
  account: Account,
  chain: `solana:${string}`,
): TransactionSigner {
  const feature = wallet.features[SIGN_TRANSACTION];
  if (!isSignTransaction<Account>(feature))
    throw new SluiceError(`${wallet.name} cannot sign Solana transactions: use another wallet.`, {
      code: 'WALLET_UNSUPPORTED',
      retryable: false,
    });
  return {
    address: account.address,
    async signTransactions(transactions) {
      const outputs = await feature.signTransaction(
        ...transactions.map((transaction) => ({ account, chain, transaction: bytesOf(transaction) })),
      );
      return outputs.map(({ signedTransaction }) => base64Of(signedTransaction));
    },
  };
}

function isSignTransaction<Account extends StandardAccount>(
  feature: unknown,
): feature is SignTransactionFeature<Account> {
  return (
    typeof feature === 'object' &&
    feature !== null &&
    'signTransaction' in feature &&
    typeof feature.signTransaction === 'function'
  );
}
