import type { Reserve } from '@sluice/protocol/klend/reserve';
import { ensure } from '../anchor.ts';
import { type OracleAccount, oraclePrice } from '../klend/scope-price.ts';
import type { Clock } from '../program.ts';
import { EXCHANGE_ERROR } from './errors.ts';

/**
 * Base units that the exchange pays: the same value at the prices that a refresh of both reserves would store, rounded
 * down. It takes no fee.
 */
export function fillOf(
  inAmount: bigint,
  [sold, bought]: readonly [Reserve, Reserve],
  oracle: OracleAccount,
  clock: Clock,
): bigint {
  const value = inAmount * priceSf(sold, oracle, clock) * 10n ** bought.liquidity.mintDecimals;
  return value / (priceSf(bought, oracle, clock) * 10n ** sold.liquidity.mintDecimals);
}

function priceSf({ config }: Reserve, scope: OracleAccount, clock: Clock): bigint {
  const oracles = { pyth: null, switchboard: null, switchboardTwap: null, scope };
  const price = oraclePrice(config.tokenInfo, oracles, clock);
  ensure(price !== null, EXCHANGE_ERROR.noPrice);
  return price.sf;
}
