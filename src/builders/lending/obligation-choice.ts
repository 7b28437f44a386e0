import { type ObligationKey, obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { NO_ADDRESS, type ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';

/** The wallet's obligation for an action: an existing one by address, or one by key, which may not exist yet. */
export type ObligationChoice = { readonly address: Address } | { readonly key: ObligationKey };

export const DEFAULT_OBLIGATION: ObligationChoice = { key: VANILLA_OBLIGATION };

const MAX_ID = 255;
/** Meaning of the two seeds by tag, for error messages. */
const SEEDS_OF_TAG: readonly string[] = [
  'none',
  'the mints of collateral and debt',
  'the mint, twice',
  'the mints of collateral and debt',
  'the reserves of collateral and debt',
  'the reserve, twice',
  'the reserves of collateral and debt',
];

/** The key of an obligation by tag and id (0 to 255). Rejects seeds that do not match the tag. */
export function obligationKey(
  tag: number,
  id: number,
  seed1: Address | null,
  seed2: Address | null,
): ObligationKey {
  const seeds = SEEDS_OF_TAG[tag];
  if (seeds === undefined) throw refused(`unknown obligation tag ${tag}; use 0 to 6`);
  if (!Number.isInteger(id) || id < 0 || id > MAX_ID)
    throw refused(`the obligation id must be from 0 to ${MAX_ID}`);
  if (tag === 0) {
    const given = [seed1, seed2].some((seed) => seed !== null && seed !== NO_ADDRESS);
    if (given) throw refused('a vanilla obligation takes no seeds; omit them or choose another tag');
    return { ...VANILLA_OBLIGATION, id };
  }
  if (seed1 === null || seed2 === null) throw refused(`tag ${tag} needs both seeds: ${seeds}`);
  return { tag, id, seed1, seed2 };
}

/** The address of the chosen obligation, whether or not it exists. */
export function chosenAddress(
  { klend }: ProgramIds,
  wallet: Address,
  market: Address,
  choice: ObligationChoice,
): Address {
  return 'address' in choice ? choice.address : obligationAddress(klend, wallet, market, choice.key).address;
}

function refused(reason: string): CodedError {
  return new SluiceError('BUILD_REFUSED', { reason });
}
