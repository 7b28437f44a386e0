import type { ProgramName } from '@sluice/protocol/deployments';
import type { FarmState } from '@sluice/protocol/farms/farm-state';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { RewardApys } from '../domain/apy.ts';
import type { PricedReserve } from '../domain/obligation.ts';

/**
 * State that is known before an action reads its accounts. Accounts of it only decide what the first round reads: an old
 * copy costs a second round and does not change the build.
 */
export interface KnownAccounts {
  readonly programs: ProgramIds;
  /** Whether the deployed program has at least this version; null when that is unknown. */
  runsAtLeast(program: ProgramName, version: string): boolean | null;
  /** The token of a reserve. It never changes. @throws KLEND_RESERVE_NOT_FOUND, or ACCOUNT_MALFORMED */
  mintOf(reserve: Address): Address;
  /** Undefined for an unknown or unreadable one, as for the other accounts. */
  reserve(address: Address): Reserve | undefined;
  reservesOf(market: Address): readonly KnownReserve[];
  vault(address: Address): VaultState | undefined;
  farm(address: Address): FarmState | undefined;
  /** Candidate lookup tables of a market, whose account does not name one. */
  tablesOfMarket(market: Address): readonly Address[];
  /** Candidate lookup tables of the vault or the market that a farm belongs to. */
  tablesOfFarm(farm: Address): readonly Address[];
  /** Accounts that the obligation referred to when an action on it was last built; undefined before that. */
  lastReferences(obligation: Address): readonly Address[] | undefined;
  /** Whether a mint is that of a vault's shares. */
  isShareMint(mint: Address): boolean;
  /** Reward APYs of a reserve in the given state. */
  rewardApys(reserve: Address, state: PricedReserve): ReserveRewardApys;
}

export interface KnownReserve {
  readonly address: Address;
  readonly value: Reserve;
}

export interface ReserveRewardApys {
  readonly supply: RewardApys;
  readonly borrow: RewardApys;
}
