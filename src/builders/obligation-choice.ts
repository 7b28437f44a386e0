import type { Address } from '@solana/kit';
import { SluiceError } from '../errors/sluice-error.ts';
import { type ObligationKey, obligationAddress, VANILLA_OBLIGATION } from '../programs/klend/addresses.ts';
import { NO_ADDRESS, type ProgramIds } from '../programs/program-ids.ts';

/** Which obligation of the wallet an action is for: one that exists, or one by its key, which may be new. */
export type ObligationChoice = { readonly address: Address } | { readonly key: ObligationKey };

export const DEFAULT_OBLIGATION: ObligationChoice = { key: VANILLA_OBLIGATION };

const MAX_ID = 255;
/** What the two seeds of a tag are, by tag; the default key twice for vanilla. */
const SEEDS_OF_TAG: readonly string[] = [
  'none',
  'the mints of collateral and debt',
  'the mint, twice',
  'the mints of collateral and debt',
  'the reserves of collateral and debt',
  'the reserve, twice',
  'the reserves of collateral and debt',
];

/** The key of an obligation by tag and id (0 to 255), refusing seeds that the tag does not go with. */
export function obligationKey(
  tag: number,
  id: number,
  seed1: Address | null,
  seed2: Address | null,
): ObligationKey {
  const seeds = SEEDS_OF_TAG[tag];
  if (seeds === undefined) throw refused(`no obligation has tag ${tag}; tags go from 0 to 6`);
  if (!Number.isInteger(id) || id < 0 || id > MAX_ID) throw refused(`obligation ids go from 0 to ${MAX_ID}`);
  if (tag === 0) {
    const given = [seed1, seed2].some((seed) => seed !== null && seed !== NO_ADDRESS);
    if (given) throw refused('a vanilla obligation takes no seeds; leave them out or choose another tag');
    return { ...VANILLA_OBLIGATION, id };
  }
  if (seed1 === null || seed2 === null) throw refused(`tag ${tag} needs both seeds: ${seeds}`);
  return { tag, id, seed1, seed2 };
}

/** Where the chosen obligation is, or will be. */
export function chosenAddress(
  { klend }: ProgramIds,
  wallet: Address,
  market: Address,
  choice: ObligationChoice,
): Address {
  return 'address' in choice ? choice.address : obligationAddress(klend, wallet, market, choice.key).address;
}

function refused(reason: string): SluiceError {
  return new SluiceError('BUILD_REFUSED', { reason });
}
