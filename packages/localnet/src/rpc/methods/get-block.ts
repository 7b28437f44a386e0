import type { ChainTransaction } from '../../chain.ts';
import type { Methods } from '../call.ts';
import { encodeTransaction, type TransactionEncoding } from '../encode-transaction.ts';
import type { Json } from '../json.ts';
import { configParam, integerParam, optionalInteger, optionalText } from '../params.ts';
import { invalidParams } from '../rpc-error.ts';
import { blockTimeOf } from './blocks.ts';
import { readableBy, transactionEncoding } from './transactions.ts';

export const getBlockMethods: Methods = {
  getBlock(call, params) {
    const slot = BigInt(integerParam(params, 0));
    const config = configParam(params, 1);
    const encoding = transactionEncoding(config);
    const details = optionalText(config, 'transactionDetails') ?? 'full';
    const maxVersion = optionalInteger(config, 'maxSupportedTransactionVersion');
    const blockTime = blockTimeOf(call, slot);
    const { blockhash, previousBlockhash, blockHeight, transactions } = call.chain.block(slot);
    return {
      blockHeight,
      blockTime,
      blockhash,
      parentSlot: slot - 1n,
      previousBlockhash,
      rewards: config.rewards === false ? undefined : [],
      ...transactionFields(details, transactions, encoding, maxVersion),
    };
  },
};

function transactionFields(
  details: string,
  transactions: readonly ChainTransaction[],
  encoding: TransactionEncoding,
  maxVersion: number | undefined,
): { readonly [key: string]: Json } {
  if (details === 'none') return {};
  if (details === 'signatures') return { signatures: transactions.map(({ signature }) => signature) };
  if (details !== 'full') {
    throw invalidParams(`Invalid params: transactionDetails \`${details}\` is not supported by this node.`);
  }
  return {
    transactions: transactions.map((transaction) => {
      const wire = readableBy(transaction, maxVersion);
      return encodeTransaction(transaction, encoding, maxVersion !== undefined, wire);
    }),
  };
}
