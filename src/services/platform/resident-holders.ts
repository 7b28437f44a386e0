import type { Address } from '@solana/kit';
import type { SharesToCount } from '../../chain/accounts/scans.ts';
import type { Positions } from '../../chain/positions/positions.ts';
import { countResidentHolders } from '../../chain/positions/resident-scans.ts';
import type { View } from '../../chain/view/view.ts';
import type { VaultRecord } from '../request/records.ts';
import { sharesToCount } from './shares-to-count.ts';

interface Count {
  readonly positions: Positions;
  readonly holders: Promise<number>;
}

/** Holders of vaults' shares in Views that have positions. A vault is counted again when one of its accounts has changed. */
export class ResidentHolders {
  /** The newest count of each vault of the newest View. */
  readonly #counts = new Map<Address, Count>();

  /** Null when the mint of the shares cannot be read. */
  async of(view: View, positions: Positions, vault: VaultRecord): Promise<number | null> {
    const shares = sharesToCount(view, vault);
    if (shares === null) return null;
    const known = this.#counts.get(vault.address);
    if (known !== undefined && isUnchanged(known.positions, positions, shares)) {
      this.#counts.set(vault.address, { positions, holders: known.holders });
      return await known.holders;
    }
    const holders = countResidentHolders(positions, shares);
    if (known === undefined || known.positions.slot <= positions.slot)
      this.#counts.set(vault.address, { positions, holders });
    for (const address of this.#counts.keys())
      if (view.get('vault', address) === undefined) this.#counts.delete(address);
    return await holders;
  }
}

function isUnchanged(before: Positions, after: Positions, { mint, farm }: SharesToCount): boolean {
  const accounts = after.changedWithin('tokenAccount', before);
  const stakes = after.changedWithin('farmUser', before);
  if (accounts === null || stakes === null) return false;
  return !accounts.has(mint) && (farm === null || !stakes.has(farm));
}
