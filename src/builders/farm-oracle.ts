import type { FarmState } from '@sluice/protocol/farms/farm-state';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { ONE, Rational } from '@sluice/protocol/numeric/rational';
import { presentAddress, SCOPE_PROGRAM } from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import type { Moment } from '../domain/moment.ts';
import { type ReadAccounts, readableAccount } from './read-accounts.ts';

/** The program reads no price with more decimals. */
const MAX_EXPONENT = 19n;

/** Factor of the farm's rewards: 1 without an oracle, null when the program would reject the oracle's price. */
export function farmOracleRate(
  { scopeOraclePriceId, scopeOracleMaxAge, scopePrices }: FarmState,
  read: ReadAccounts,
  { timestamp }: Moment,
): Rational | null {
  if (scopeOraclePriceId === U64_MAX) return ONE;
  const feed: Address | null = presentAddress(scopePrices);
  const oracle = feed && readableAccount(read, feed, oraclePrices, SCOPE_PROGRAM);
  const entry = oracle?.prices[Number(scopeOraclePriceId)];
  if (entry === undefined) return null;
  const age = timestamp - entry.unixTimestamp;
  if (age < 0n || age > scopeOracleMaxAge || entry.price.exp > MAX_EXPONENT) return null;
  return Rational.of(entry.price.value, 10n ** entry.price.exp);
}
