import type { Rational } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { View } from '../../chain/view/view.ts';
import { stakedInFarm } from '../farms/farms.ts';
import type { FarmRecord } from '../request/records.ts';
import { borrowed, supplied } from '../reserves/reserves.ts';
import { denominationOf, tokenAmount } from '../tokens/amounts.ts';
import { stakedSharesUsd } from '../vaults/vaults.ts';

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
