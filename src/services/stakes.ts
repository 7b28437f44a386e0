import type { View } from '../chain/view.ts';
import type { Rational } from '../numeric/rational.ts';
import { presentAddress } from '../programs/program-ids.ts';
import { denominationOf, tokenAmount } from './amounts.ts';
import { stakedInFarm } from './farms.ts';
import type { FarmRecord } from './records.ts';
import { borrowed, supplied } from './reserves.ts';
import { stakedSharesUsd } from './vaults.ts';

/**
 * USD value that earns a farm's rewards: staked shares of a vault, the total supply or debt of a reserve, or staked
 * tokens. Null when unknown.
 */
export function stakedValueUsd(view: View, farm: FarmRecord): Rational | null {
  const mint = presentAddress(farm.value.token.mint);
  if (mint === null) return reserveValueUsd(view, farm);
  const staked = stakedInFarm(farm);
  const vault = view.vaultOfShares(mint);
  if (vault === undefined) {
    return tokenAmount(view, denominationOf(view, mint, farm.value.token.decimals), staked).usd;
  }
  return stakedSharesUsd(view, vault, farm);
}

function reserveValueUsd(view: View, farm: FarmRecord): Rational | null {
  const reserve = view.reserveOfFarm(farm.address);
  if (reserve === undefined) return null;
  const side = reserve.value.farmCollateral === farm.address ? supplied : borrowed;
  return side(view, reserve).usd;
}
