import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, NO_ADDRESS, SCOPE_PROGRAM } from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { aborted, ensure, load } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { FARM } from './farm-errors.ts';
import type { FarmModel } from './farm-model.ts';

/** value / 10^exp, of a farm whose rewards and cap are in the units of an oracle price. */
export interface ScopePrice {
  readonly value: bigint;
  readonly exp: bigint;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

const usesOracle = ({ state }: FarmModel) => state.scopeOraclePriceId !== U64_MAX;

/** Null for a farm without an oracle, whatever account is given. */
export function loadScopePrice(farm: FarmModel, account: InstructionAccount | null): ScopePrice | null {
  const prices = account === null ? null : load(account, oraclePrices, SCOPE_PROGRAM);
  if (!usesOracle(farm)) return null;
  ensure(account !== null && prices !== null, FARM.invalidOracleConfig);
  const { address } = account;
  ensure(address !== NO_ADDRESS && address !== MAINNET_PROGRAMS.farms, FARM.invalidOracleConfig);
  ensure(address === farm.state.scopePrices, FARM.invalidOracleConfig);
  const entry = prices.prices[Number(farm.state.scopeOraclePriceId)];
  if (entry === undefined) throw aborted();
  return { ...priceOf(entry.price), timestamp: entry.unixTimestamp };
}

const priceOf = ({ value, exp }: { readonly value: bigint; readonly exp: bigint }) => ({ value, exp });

/** The amount times the oracle's price, rounded down; the amount itself in a farm without an oracle. */
export function adjustedByOracle(
  farm: FarmModel,
  amount: bigint,
  price: ScopePrice | null,
  ts: bigint,
): bigint {
  if (!usesOracle(farm)) return amount;
  ensure(price !== null, FARM.missingScopePrices);
  if (ts < price.timestamp) throw aborted();
  ensure(ts - price.timestamp <= farm.state.scopeOracleMaxAge, FARM.scopeOraclePriceTooOld);
  const adjusted = (amount * price.value) / powerOfTen(price.exp);
  if (adjusted > U64_MAX) throw aborted();
  return adjusted;
}

const MAX_EXPONENT = 19n;

export function powerOfTen(exponent: bigint): bigint {
  if (exponent > MAX_EXPONENT) throw aborted();
  return 10n ** exponent;
}
