import type { View } from '../../chain/view/view.ts';
import { type CollateralRate, collateralRate, vaultAssets } from '../../domain/vault-assets.ts';
import { depositCap as capOf, depositRoom as roomOf } from '../../domain/vault-cap.ts';
import { perView } from '../request/per-view.ts';
import type { VaultRecord } from '../request/records.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { usedAllocations, vaultAmount } from './vaults.ts';

/** Assets above which the vault takes no deposit; null for no cap. */
export function depositCap(view: View, vault: VaultRecord): TokenAmount | null {
  const cap = capOf(vault.value);
  return cap === null ? null : vaultAmount(view, vault, cap);
}

/**
 * The most that a deposit could add now, by the assets that the program would compute. Null without a cap, and when a
 * reserve with invested tokens could not be read.
 */
export const depositRoom = perView((view: View, vault: VaultRecord): TokenAmount | null => {
  const { value } = vault;
  if (capOf(value) === null) return null;
  const rates = new Map<VaultRecord['address'], CollateralRate>();
  for (const { reserve: address, ctokenAllocation } of usedAllocations(value)) {
    const reserve = view.get('reserve', address);
    if (reserve !== undefined) {
      const { totalSupply } = Valuation.of(view).accrued(reserve);
      rates.set(address, collateralRate(totalSupply, reserve.value.collateral.mintTotalSupply));
    } else if (ctokenAllocation > 0n) {
      return null;
    }
  }
  const { aumSf } = vaultAssets(value, (address) => rates.get(address), view.moment.timestamp);
  return vaultAmount(view, vault, roomOf(value, aumSf));
});
