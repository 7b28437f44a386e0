import type { Rational } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { toTokens } from '../../domain/arithmetic.ts';
import { claimableReward, farmRewards, userStaked } from '../../domain/rewards.ts';
import { positionPair } from '../obligations/obligations.ts';
import { obligationProduct } from '../obligations/tags.ts';
import {
  type FarmRecord,
  type ObligationRecord,
  type RecordOf,
  type ReserveRecord,
  readableRecords,
  type UnreadableAccounts,
  type VaultRecord,
} from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { denominationOf, type TokenAmount, tokenAmount } from '../tokens/amounts.ts';
import { balanceDenomination } from '../vaults/vaults.ts';

/** A stake of a wallet or of one of its obligations. At most one of `vault` and `reserve` is present. */
export interface FarmStake {
  readonly farm: FarmRecord;
  readonly user: RecordOf<'farmUser'>;
  /** The vault whose farm this is; null for any other farm. */
  readonly vault: VaultRecord | null;
  /** The reserve whose suppliers or borrowers the farm rewards; null for any other farm. */
  readonly reserve: ReserveRecord | null;
}

export interface FarmStakes {
  /** By address. */
  readonly stakes: readonly FarmStake[];
  /** Stakes, and farms of stakes, that are left out. */
  readonly unreadable: UnreadableAccounts;
}

/**
 * All stakes of a wallet and of its obligations, except those that are empty and have nothing to claim. One search; farms
 * of vaults and reserves are in the View, others are read after it.
 */
export async function farmStakes(session: Session, wallet: Address): Promise<FarmStakes> {
  const { view } = session;
  const { found, unreadable } = await session.stakesOf(wallet);
  const addresses = [...new Set(found.map(({ value }) => value.farmState))];
  const farms = await readableRecords(session, 'farm', addresses);
  const byAddress = new Map(farms.records.map((farm) => [farm.address, farm]));
  const stakes = found.flatMap((user): FarmStake[] => {
    const farm = byAddress.get(user.value.farmState);
    if (farm === undefined) return [];
    return [
      { farm, user, vault: vaultOfFarm(view, farm), reserve: view.reserveOfFarm(farm.address) ?? null },
    ];
  });
  return {
    stakes: stakes
      .filter((stake) => !userStaked(stake.farm.value, stake.user.value).isZero || hasClaimable(view, stake))
      .sort((a, b) => (a.user.address < b.user.address ? -1 : 1)),
    unreadable: new Map([...unreadable, ...farms.unreadable]),
  };
}

/** Anyone can create a vault that names the farm of another, so the farm has to stake the shares of the vault. */
export function vaultOfFarm(view: View, { address, value }: FarmRecord): VaultRecord | null {
  const vault = view.vaultOfShares(value.token.mint);
  return vault?.value.vaultFarm === address ? vault : null;
}

/** The liquidity strategy that the farm names. Null for the farm of a vault or reserve, and without one. */
export const strategyOf = ({ farm, vault, reserve }: FarmStake): Address | null =>
  vault === null && reserve === null ? presentAddress(farm.value.strategyId) : null;

/**
 * The active stake in whole tokens: shares of a vault, collateral tokens or owed tokens of a reserve, or whatever token
 * the farm takes.
 */
export function stakedTokens({ farm, user, reserve }: FarmStake): Rational {
  const decimals = reserve?.value.liquidity.mintDecimals ?? farm.value.token.decimals;
  return toTokens(userStaked(farm.value, user.value), decimals);
}

/** Staked tokens and their price. */
export interface StakedAmount extends TokenAmount {
  /** Per whole token; the share price of a vault's shares. Null when unknown. */
  readonly priceUsd: Rational | null;
}

/** Tokens that an owner can take out of a farm; null for a farm in which positions are staked instead of tokens. */
export function stakedAmount(view: View, { farm, user }: FarmStake): StakedAmount | null {
  const { token } = farm.value;
  const mint = presentAddress(token.mint);
  if (mint === null) return null;
  const denomination = balanceDenomination(view, mint, token.decimals);
  const { decimals, baseUnits, wholeUnits, amount, usd, sol } = tokenAmount(
    view,
    denomination,
    userStaked(farm.value, user.value),
  );
  const { priceUsd } = denomination;
  return { mint, decimals, baseUnits, wholeUnits, amount, usd, sol, priceUsd };
}

/** A reward of a stake that can be claimed now. */
export interface ClaimableReward {
  /** Index of the reward in the farm, which a claim refers to. */
  readonly index: number;
  /** As stored on chain: 0 is shared among all stakes, 1 is constant per staked unit. */
  readonly type: number;
  readonly tokenProgram: Address;
  readonly amount: TokenAmount;
}

/** The rewards of a stake of which at least one base unit can be claimed now. */
export function claimableRewardsOf(view: View, { farm, user }: FarmStake): ClaimableReward[] {
  return farmRewards(farm.value).flatMap((reward): ClaimableReward[] => {
    const { token, rewardType: type } = reward.info;
    const claimable = claimableReward(farm.value, user.value, reward, view.moment);
    if (claimable === 0n) return [];
    const amount = tokenAmount(view, denominationOf(view, token.mint, token.decimals), claimable);
    return [{ index: reward.index, type, tokenProgram: token.tokenProgram, amount }];
  });
}

const hasClaimable = (view: View, { farm, user }: FarmStake): boolean =>
  farmRewards(farm.value).some((each) => claimableReward(farm.value, user.value, each, view.moment) > 0n);

/** Kind of the position that a stake rewards. */
export type StakePosition = 'LEND' | 'BORROW_MARKETS' | 'MULTIPLY' | 'LEVERAGE' | 'LIQUIDITY';

/** A stake with the obligation that it stands for. */
export interface PositionStake extends FarmStake {
  /** Null for tokens that a wallet has staked itself, and for an obligation that no longer exists. */
  readonly obligation: ObligationRecord | null;
}

/** The stakes of a wallet with their obligations. Two searches, in one round. */
export async function positionStakes(
  session: Session,
  wallet: Address,
): Promise<{ readonly stakes: readonly PositionStake[]; readonly unreadable: UnreadableAccounts }> {
  const [{ stakes, unreadable }, obligations] = await Promise.all([
    farmStakes(session, wallet),
    session.obligationsOf(wallet, null),
  ]);
  const byAddress = new Map(obligations.found.map((record) => [record.address, record]));
  return {
    stakes: stakes.map((stake) => ({
      ...stake,
      obligation: byAddress.get(stake.user.value.delegatee) ?? null,
    })),
    unreadable,
  };
}

/** An obligation that no longer exists counts as a position in the borrow markets. */
export function stakePosition({ vault, reserve, obligation }: PositionStake): StakePosition {
  if (vault !== null) return 'LEND';
  if (reserve === null) return 'LIQUIDITY';
  const product = obligation === null ? 'LENDING' : obligationProduct(obligation);
  return product === 'LENDING' ? 'BORROW_MARKETS' : product;
}

/** Mints of the position: of a leveraged one its collateral and debt, of any other the one token that is rewarded. */
export function positionMints(view: View, stake: PositionStake): Address[] {
  const { vault, reserve, obligation, farm } = stake;
  if (vault !== null) return [vault.value.tokenMint];
  if (reserve === null) return [presentAddress(farm.value.token.mint)].filter((mint) => mint !== null);
  if (obligation !== null && obligationProduct(obligation) !== 'LENDING') {
    const { depositMint, borrowMint } = positionPair(view, obligation);
    return [depositMint, borrowMint].filter((mint) => mint !== null);
  }
  return [reserve.value.liquidity.mintPubkey];
}
