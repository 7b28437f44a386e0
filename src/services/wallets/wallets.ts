import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { farmUserState } from '@sluice/protocol/farms/addresses';
import { roundParts } from '@sluice/protocol/numeric/decimal';
import { integer, type Rational } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { toTokens, totalIfKnown } from '../../domain/arithmetic.ts';
import { inSol } from '../../domain/price.ts';
import { userStaked } from '../../domain/rewards.ts';
import { sharesToTokens } from '../../domain/vault.ts';
import { farmAt } from '../farms/farms.ts';
import { valueObligation } from '../obligations/obligations.ts';
import { obligationsOf } from '../obligations/wallet-obligations.ts';
import {
  type FarmRecord,
  type RecordOf,
  readableRecords,
  type UnreadableAccounts,
  type VaultRecord,
} from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { holdsCollateral, ticketAmount, withdrawTickets } from '../reserves/withdraw-tickets.ts';
import { denominationOf, type TokenAmount, tokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { balanceDenomination, vaultAmount } from '../vaults/vaults.ts';
import { claimableRewardsOf, farmStakes, vaultOfFarm } from './farm-stakes.ts';

/** A wallet, identified by its address. */
export interface Wallet {
  readonly address: Address;
}

/** A value in USD and SOL; null when a part of it is unknown. */
export interface Value {
  readonly usd: Rational | null;
  readonly sol: Rational | null;
}

/** Shares of one vault in one wallet. */
export interface VaultPosition {
  readonly wallet: Address;
  readonly vault: VaultRecord;
  /** Whole shares; so are the next two. */
  readonly stakedShares: Rational;
  readonly unstakedShares: Rational;
  readonly totalShares: Rational;
  /** Null when a reserve of the vault cannot be read. */
  readonly value: TokenAmount | null;
}

/** A wallet's stake in the farm of a vault. */
export interface VaultStake {
  readonly farm: FarmRecord;
  readonly user: RecordOf<'farmUser'>;
}

/** The current stake of a wallet in a farm. Null when it never had one. */
async function stakeIn(
  session: Session,
  farms: Address,
  farm: FarmRecord,
  wallet: Address,
): Promise<VaultStake | null> {
  const { address } = farmUserState(farms, farm.address, wallet);
  const user = await session.find('farmUser', address);
  return user === null ? null : { farm, user };
}

/** The farm in which shares of a vault are staked; null when it has none. */
export function farmOfVault(view: View, vault: VaultRecord): FarmRecord | null {
  const farm = farmAt(view, vault.value.vaultFarm);
  return farm !== undefined && vaultOfFarm(view, farm)?.address === vault.address ? farm : null;
}

function stakeInVault(
  session: Session,
  wallet: Address,
  vault: VaultRecord,
): Promise<VaultStake | null> | null {
  const farm = farmOfVault(session.view, vault);
  return farm && stakeIn(session, session.programs.farms, farm, wallet);
}

/**
 * A wallet's stake in the farm of each vault. Deriving the addresses takes a while, so pending reads are sent first. With
 * positions in the View only those of farms in which the wallet has a stake are derived.
 */
async function stakesInVaults(
  session: Session,
  wallet: Address,
  vaults: readonly VaultRecord[],
): Promise<(VaultStake | null)[]> {
  if (session.view.positions !== null) {
    const { found, unreadable } = await session.stakesOf(wallet);
    const farms = new Set(found.map(({ value }) => value.farmState));
    const mayStake = ({ value }: VaultRecord) => farms.has(value.vaultFarm) || unreadable.size > 0;
    return await Promise.all(
      vaults.map((vault) => (mayStake(vault) ? stakeInVault(session, wallet, vault) : null)),
    );
  }
  await yieldToEventLoop();
  return await Promise.all(vaults.map((vault) => stakeInVault(session, wallet, vault)));
}

/** Base units in token accounts of a wallet, by mint. */
function byMint(accounts: readonly RecordOf<'tokenAccount'>[]): ReadonlyMap<Address, bigint> {
  const tokens = new Map<Address, bigint>();
  for (const { value } of accounts) {
    tokens.set(value.mint, (tokens.get(value.mint) ?? 0n) + value.amount);
  }
  return tokens;
}

/** The position that some shares are. @param unstaked base units in the wallet */
export function positionOf(
  { view }: Pick<Session, 'view'>,
  wallet: Address,
  vault: VaultRecord,
  unstaked: bigint,
  stake: VaultStake | null,
): VaultPosition {
  const staked = stake === null ? integer(0n) : userStaked(stake.farm.value, stake.user.value);
  const total = staked.add(integer(unstaked));
  const whole = (baseUnits: Rational) => toTokens(baseUnits, vault.value.sharesMintDecimals);
  const [stakedShares, unstakedShares] = roundParts([whole(staked), whole(integer(unstaked))] as const);
  const holdings = Valuation.of(view).holdings(vault);
  return {
    wallet,
    vault,
    stakedShares,
    unstakedShares,
    totalShares: stakedShares.add(unstakedShares),
    value: holdings && vaultAmount(view, vault, sharesToTokens(vault.value, holdings, total)),
  };
}

/** A wallet's position in one vault; zero shares if it has none. */
export async function vaultPosition(
  session: Session,
  wallet: Address,
  vault: VaultRecord,
): Promise<VaultPosition> {
  const [accounts, stake] = await Promise.all([
    session.shareAccountsOf(wallet),
    stakeInVault(session, wallet, vault),
  ]);
  return positionOf(session, wallet, vault, byMint(accounts).get(vault.value.sharesMint) ?? 0n, stake);
}

/** A wallet's positions in all vaults of the View, by vault. Without positions in the View one round of reads: token accounts, and a stake per farm. */
export async function vaultPositions(session: Session, wallet: Address): Promise<VaultPosition[]> {
  const vaults = [...session.view.all('vault').values()];
  const [accounts, stakes] = await Promise.all([
    session.shareAccountsOf(wallet),
    stakesInVaults(session, wallet, vaults),
  ]);
  const tokens = byMint(accounts);
  return vaults
    .flatMap((vault, i) => {
      const unstaked = tokens.get(vault.value.sharesMint) ?? 0n;
      const stake = stakes[i] ?? null;
      // Skips most vaults cheaply.
      return unstaked === 0n && stake === null ? [] : [positionOf(session, wallet, vault, unstaked, stake)];
    })
    .filter(({ totalShares }) => !totalShares.isZero)
    .sort((a, b) => (a.vault.address < b.vault.address ? -1 : 1));
}

/** The wallet's net value on the platform: vault shares and queued withdrawals plus obligations net of debt. */
export async function netValue(session: Session, wallet: Address): Promise<Value> {
  const [positions, obligations, queued] = await Promise.all([
    vaultPositions(session, wallet),
    obligationsOf(session, wallet, null),
    withdrawTickets(session, wallet),
  ]);
  const parts = [
    ...positions.map(({ value }) => value?.usd ?? null),
    ...obligations.map((record) => valueObligation(session, record).stats?.netAccountValue ?? null),
    ...queued.tickets
      .filter(holdsCollateral)
      .map((ticket) => ticketAmount(session.view, ticket)?.usd ?? null),
  ];
  const usd = totalIfKnown(parts);
  return { usd, sol: inSol(usd, Valuation.of(session.view).solPriceUsd) };
}

/**
 * Current token balances; native SOL counts as wrapped SOL, and shares are valued at their share price. All tokens with
 * a balance, or the given mints.
 */
export async function balances(
  session: Session,
  wallet: Address,
  mints: readonly Address[] | null,
): Promise<{ readonly held: TokenAmount[]; readonly unreadable: UnreadableAccounts }> {
  const [accounts, own] = await Promise.all([session.tokenAccountsOf(wallet), session.account(wallet, 0)]);
  const tokens = byMint(accounts);
  const amounts = new Map(tokens);
  amounts.set(WRAPPED_SOL_MINT, (tokens.get(WRAPPED_SOL_MINT) ?? 0n) + (own?.lamports ?? 0n));
  const wanted = mints ?? [...amounts].filter(([, amount]) => amount > 0n).map(([mint]) => mint);
  const { records, unreadable } = await readableRecords(session, 'mint', wanted);
  const held = records
    .map(({ address, value }) =>
      tokenAmount(
        session.view,
        balanceDenomination(session.view, address, value.decimals),
        amounts.get(address) ?? 0n,
      ),
    )
    .sort((a, b) => (a.mint < b.mint ? -1 : 1));
  return { held, unreadable };
}

/** Claimable rewards by token, of all stakes of the wallet and its obligations. */
export async function claimableRewards(session: Session, wallet: Address): Promise<TokenAmount[]> {
  const { stakes } = await farmStakes(session, wallet);
  const amounts = new Map<Address, { decimals: number; units: bigint }>();
  for (const { amount } of stakes.flatMap((stake) => claimableRewardsOf(session.view, stake))) {
    const { mint, decimals, wholeUnits } = amount;
    amounts.set(mint, { decimals, units: (amounts.get(mint)?.units ?? 0n) + wholeUnits });
  }
  return [...amounts]
    .map(([mint, { decimals, units }]) =>
      tokenAmount(session.view, denominationOf(session.view, mint, decimals), units),
    )
    .sort((a, b) => (a.mint < b.mint ? -1 : 1));
}
