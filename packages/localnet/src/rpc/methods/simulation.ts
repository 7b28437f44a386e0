import type { Address } from '@solana/kit';
import type { TransactionOutcome } from '../../runtime/outcome.ts';
import { type Call, checkMinContextSlot, type Methods, withContext } from '../call.ts';
import { type AccountView, encodeAccount, parseAccountView } from '../encode-account.ts';
import type { Json } from '../json.ts';
import { addressParam, type Config, configParam, listParam, record, textParam } from '../params.ts';
import { invalidParams } from '../rpc-error.ts';
import { accountAfter, encodeOutcome, simulated } from '../run-transaction.ts';
import { type Message, transactionParam } from '../wire-transaction.ts';

interface WantedAccounts {
  readonly addresses: readonly Address[];
  readonly view: AccountView;
}

export const simulationMethods: Methods = {
  simulateTransaction(call, params) {
    const config = configParam(params, 1);
    const { bytes, message } = transactionParam(textParam(params, 0), config);
    checkMinContextSlot(call, config);
    const replaceBlockhash = config.replaceRecentBlockhash === true;
    const verifySignatures = config.sigVerify === true;
    if (replaceBlockhash && verifySignatures) {
      throw invalidParams('sigVerify may not be used with replaceRecentBlockhash');
    }
    const wanted = wantedAccounts(config, message);
    const outcome = simulated(call, bytes, { verifySignatures, replaceBlockhash });
    return withContext(call, {
      ...encodeOutcome(outcome, config.innerInstructions === true),
      accounts: wanted && encodeAccounts(call, outcome, wanted),
      replacementBlockhash: replaceBlockhash ? replacement(call) : null,
    });
  },
};

/** Null when the client asks for no accounts. */
function wantedAccounts(config: Config, message: Message): WantedAccounts | null {
  if (config.accounts === undefined || config.accounts === null) return null;
  const accounts = record(config.accounts);
  const view = parseAccountView({ encoding: accounts.encoding }, 'base64');
  if (view.encoding === 'binary' || view.encoding === 'base58') {
    throw invalidParams('base58 encoding not supported');
  }
  const addresses = listParam([accounts.addresses], 0);
  const max = countAccounts(message);
  if (addresses.length > max) throw invalidParams(`Too many accounts provided; max ${max}`);
  return { addresses: addresses.map((_, i) => addressParam(addresses, i)), view };
}

function countAccounts(message: Message): number {
  const lookups = message.version === 0 ? (message.addressTableLookups ?? []) : [];
  return lookups.reduce(
    (sum, { readonlyIndexes, writableIndexes }) => sum + readonlyIndexes.length + writableIndexes.length,
    message.staticAccounts.length,
  );
}

/** A failed transaction has no accounts to show. */
function encodeAccounts(call: Call, outcome: TransactionOutcome, { addresses, view }: WantedAccounts): Json {
  return addresses.map((address) => {
    const account = outcome.failure === null ? accountAfter(call, outcome, address) : undefined;
    return account === undefined ? null : encodeAccount(call.chain, account, view);
  });
}

function replacement({ chain }: Call): Json {
  const { blockhash, lastValidBlockHeight } = chain.blockhash();
  return { blockhash, lastValidBlockHeight };
}
