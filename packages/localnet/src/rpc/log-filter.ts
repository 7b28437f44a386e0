import type { Address } from '@solana/kit';
import type { ChainTransaction } from '../chain.ts';
import { addressParam, listParam, type Params, record } from './params.ts';
import { invalidParams } from './rpc-error.ts';

/** Which transactions a subscriber to logs wants; the chain has no votes. */
export type LogFilter = (transaction: ChainTransaction) => boolean;

export function parseLogFilter(params: Params): LogFilter {
  const [filter] = params;
  if (filter === 'all' || filter === 'allWithVotes') return () => true;
  const { mentions } = record(filter);
  const addresses = listParam([mentions], 0);
  if (addresses.length !== 1) throw invalidParams('Invalid Request: Only 1 address supported');
  const mentioned: Address = addressParam(addresses, 0);
  return (transaction) => transaction.addresses.includes(mentioned);
}
