import type { Market, Reserve as WorldReserve } from '@sluice/localnet/world/model';
import type { Random } from '@sluice/localnet/world/prng';
import { timeOf } from '@sluice/localnet/world/time';
import type { WorldChain } from '@sluice/localnet/world/world-chain';
import { farmAuthority, rewardTreasury } from '@sluice/protocol/farms/addresses';
import { harvestReward } from '@sluice/protocol/farms/reward-instructions';
import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, presentAddress } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { transferChecked } from '@sluice/protocol/token/instructions';
import type { Address } from '@solana/kit';
import { accountIn } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { type BuiltInstruction, instruction } from '../../../src/builders/built-instruction.ts';
import { type LendingAccounts, lendingAccounts } from '../../../src/builders/lending/accounts.ts';
import { buildLending } from '../../../src/builders/lending/action.ts';
import type { LendingAction } from '../../../src/builders/lending/request.ts';
import { createTokenAccount } from '../../../src/builders/token-instructions.ts';
import type { UsableTable } from '../../../src/builders/transaction/lookup-tables.ts';
import { type VaultAccounts, vaultAccounts } from '../../../src/builders/vault/accounts.ts';
import { buildVaultEntry, buildVaultExit } from '../../../src/builders/vault/action.ts';
import { endStake, stakeShares, withdrawUnstaked } from '../../../src/builders/vault/staking.ts';
import { elevationGroup, elevationGroups, isInGroup, NO_GROUP } from '../../../src/domain/elevation.ts';
import type { Moment } from '../../../src/domain/moment.ts';
import { activeBorrows, activeDeposits } from '../../../src/domain/obligation.ts';
import { farmRewards } from '../../../src/domain/rewards.ts';
import { isCodedError } from '../../../src/errors/sluice-error.ts';
import { groupMove } from '../lending/group-move.ts';
import { debtLimit } from './obligation-limit.ts';

const { klend, farms } = MAINNET_PROGRAMS;
const OBLIGATIONS_PER_WALLET = 2;
/** Lamports that a wallet keeps for fees and rent. */
const KEPT_LAMPORTS = 1_000_000_000n;

/** Intended action of a wallet. */
export interface Wish {
  readonly name: string;
  readonly wallet: Address;
  readonly instructions: readonly BuiltInstruction[];
  readonly tables: readonly UsableTable[];
}

interface Sides {
  readonly collateral: readonly WorldReserve[];
  readonly debt: readonly WorldReserve[];
}

type Kind =
  | LendingAction
  | 'group'
  | 'vaultDeposit'
  | 'vaultWithdraw'
  | 'stake'
  | 'unstake'
  | 'claim'
  | 'send';

const KINDS: readonly Kind[] = [
  ...(['deposit', 'deposit', 'borrow', 'borrow', 'repay', 'withdraw', 'withdraw', 'group'] as const),
  ...(['vaultDeposit', 'vaultDeposit', 'vaultWithdraw', 'stake', 'unstake', 'claim', 'send'] as const),
];

/** Makes sensible actions of random wallets on a chain, with the gateway's own builders. */
export class RandomActions {
  readonly #localChain: WorldChain;
  readonly #random: Random;
  readonly #wallets: readonly Address[];

  constructor(localChain: WorldChain, random: Random, wallets: readonly Address[]) {
    this.#localChain = localChain;
    this.#random = random;
    this.#wallets = wallets;
  }

  next(): Wish {
    for (;;) {
      const wish = this.#attempt(this.#random.pick(KINDS), this.#random.pick(this.#wallets));
      if (wish !== null) return wish;
    }
  }

  /** Null when the wallet has nothing to do it with. */
  #attempt(kind: Kind, wallet: Address): Wish | null {
    try {
      return this.#wish(kind, wallet);
    } catch (error) {
      if (isCodedError(error)) return null;
      throw error;
    }
  }

  #wish(kind: Kind, wallet: Address): Wish | null {
    switch (kind) {
      case 'deposit':
        return this.#deposit(wallet);
      case 'borrow':
      case 'repay':
      case 'withdraw':
      case 'group':
        return this.#change(kind, wallet);
      case 'send':
        return this.#send(wallet);
      default:
        return this.#invest(kind, wallet);
    }
  }

  get #moment(): Moment {
    const { slot } = this.#localChain;
    return { slot, timestamp: BigInt(timeOf(slot)), slotDurationMs: integer(400) };
  }

  #read = (address: Address) => this.#localChain.account(address) ?? null;

  #lending(action: LendingAction, wallet: Address, market: Market, reserve: Address, id: number) {
    const request = {
      action,
      programs: MAINNET_PROGRAMS,
      wallet,
      market: market.address,
      reserve,
      obligation: { key: { ...VANILLA_OBLIGATION, id } },
      lookupTables: [market.lookupTable],
      oracles: [],
    };
    return lendingAccounts(request, this.#read, this.#localChain.slot);
  }

  #lend(accounts: LendingAccounts, baseUnits: bigint): Wish | null {
    if (baseUnits <= 0n) return null;
    const { request, tables } = accounts;
    const { action } = buildLending(accounts, { baseUnits }, this.#moment);
    return { name: request.action, wallet: request.wallet, instructions: action.instructions, tables };
  }

  #deposit(wallet: Address): Wish | null {
    const market = this.#random.pick(this.#localChain.world.markets);
    const id = this.#random.below(OBLIGATIONS_PER_WALLET);
    const known = this.#obligation(wallet, market, id);
    const held = known === null ? [] : activeDeposits(known).map(({ depositReserve }) => depositReserve);
    const isOld = held.length > 0 && (held.length > 2 || this.#random.chance(60));
    const reserve = isOld
      ? this.#random.pick(held)
      : this.#random.pick(reservesFor(market, id).collateral).address;
    const accounts = this.#lending('deposit', wallet, market, reserve, id);
    const { config } = accounts.reserve;
    if (config.status !== 0 || config.depositLimit === 0n) return null;
    return this.#lend(accounts, this.#random.share(this.#spendable(accounts), 1, 30));
  }

  #obligation(wallet: Address, market: Market, id: number): Obligation | null {
    const { address } = obligationAddress(klend, wallet, market.address, { ...VANILLA_OBLIGATION, id });
    const account = this.#localChain.account(address);
    return account === undefined ? null : obligation.decode(account, klend);
  }

  #change(kind: 'borrow' | 'repay' | 'withdraw' | 'group', wallet: Address): Wish | null {
    const market = this.#random.pick(this.#localChain.world.markets);
    const id = this.#random.below(OBLIGATIONS_PER_WALLET);
    const known = this.#obligation(wallet, market, id);
    if (known === null || activeDeposits(known).length === 0) return null;
    switch (kind) {
      case 'borrow': {
        const reserve = this.#debtReserve(known, market, id);
        const accounts = this.#lending('borrow', wallet, market, reserve, id);
        const { allowed, owed } = debtLimit(
          (each) => accountIn(this.#localChain, each),
          accounts.obligationAddress,
        );
        const room = worth(accounts.reserve, allowed.sub(owed));
        const { totalAvailableAmount } = accounts.reserve.liquidity;
        return this.#lend(accounts, this.#random.share(lesser(room, totalAvailableAmount), 1, 600));
      }
      case 'repay': {
        const debts = activeBorrows(known);
        if (debts.length === 0) return null;
        const debt = this.#random.pick(debts);
        const accounts = this.#lending('repay', wallet, market, debt.borrowReserve, id);
        const owed = debt.borrowedAmountSf / FRACTION_ONE;
        return this.#lend(accounts, this.#random.share(owed, 100, 1_100));
      }
      case 'withdraw': {
        const { depositReserve, depositedAmount } = this.#random.pick(activeDeposits(known));
        const accounts = this.#lending('withdraw', wallet, market, depositReserve, id);
        return this.#lend(accounts, this.#random.share(depositedAmount, 1, 300));
      }
      case 'group': {
        const { depositReserve } = this.#random.pick(activeDeposits(known));
        return this.#group(this.#lending('withdraw', wallet, market, depositReserve, id), known);
      }
    }
  }

  #debtReserve(known: Obligation, market: Market, id: number): Address {
    const account = accountIn(this.#localChain, market.address);
    const group = elevationGroup(lendingMarket.decode(account, klend), known.elevationGroup);
    if (group !== null) return group.debtReserve;
    const debts = activeBorrows(known);
    const isOld = debts.length > 0 && this.#random.chance(60);
    return isOld
      ? this.#random.pick(debts).borrowReserve
      : this.#random.pick(reservesFor(market, id).debt).address;
  }

  #group(accounts: LendingAccounts, known: Obligation): Wish | null {
    const { request, tables, reserves } = accounts;
    const deposits = activeDeposits(known).map(({ depositReserve }) => depositReserve);
    const debts = activeBorrows(known).map(({ borrowReserve }) => borrowReserve);
    const open = elevationGroups(accounts.market)
      .filter(({ id }) => [...reserves.values()].every((each) => isInGroup(each, id)))
      .filter(
        ({ debtReserve }) => !deposits.includes(debtReserve) && debts.every((each) => each === debtReserve),
      )
      .map(({ id }) => id);
    const others = [NO_GROUP, ...open].filter((id) => id !== known.elevationGroup);
    if (others.length === 0) return null;
    const instructions = groupMove(accounts, this.#random.pick(others));
    return { name: 'group', wallet: request.wallet, instructions, tables };
  }

  #invest(
    kind: 'vaultDeposit' | 'vaultWithdraw' | 'stake' | 'unstake' | 'claim',
    wallet: Address,
  ): Wish | null {
    const { address: vault } = this.#random.pick(this.#localChain.world.vaults);
    const request = { programs: MAINNET_PROGRAMS, wallet, vault, lookupTables: [] };
    const accounts = vaultAccounts(request, this.#read, this.#localChain.slot);
    const instructions = this.#investment(kind, accounts);
    return instructions.length === 0 ? null : { name: kind, wallet, instructions, tables: accounts.tables };
  }

  #investment(
    kind: 'vaultDeposit' | 'vaultWithdraw' | 'stake' | 'unstake' | 'claim',
    accounts: VaultAccounts,
  ): readonly BuiltInstruction[] {
    const { farm, shares, vault } = accounts;
    switch (kind) {
      case 'vaultDeposit': {
        const baseUnits = this.#random.share(this.#spendable(accounts), 1, 30);
        return buildVaultEntry(accounts, { baseUnits }, this.#moment).action.instructions;
      }
      case 'vaultWithdraw': {
        const held = (shares.account?.amount ?? 0n) + (farm?.staked ?? 0n);
        const part = Rational.of(this.#random.share(held, 10, 1_000), 10n ** vault.sharesMintDecimals);
        return buildVaultExit(accounts, { shares: part }, this.#moment).action.instructions;
      }
      case 'stake':
        return farm !== null && shares.account?.amount ? stakeShares(accounts, farm, 'all') : [];
      case 'unstake':
        if (farm === null || farm.staked === 0n || shares.account === null) return [];
        return [
          endStake(accounts, farm, this.#random.share(farm.staked, 10, 1_000)),
          withdrawUnstaked(accounts, farm),
        ];
      case 'claim':
        return this.#claim(accounts);
    }
  }

  #claim({ farm, request }: VaultAccounts): BuiltInstruction[] {
    if (farm === null || farm.stake === null) return [];
    const { wallet } = request;
    const rewards = farmRewards(farm.account);
    if (rewards.length === 0) return [];
    const { info, index } = this.#random.pick(rewards);
    const { mint, tokenProgram } = info.token;
    const destination = associatedTokenAddress(wallet, tokenProgram, mint).address;
    const { globalConfig, scopePrices } = farm.account;
    return [
      createTokenAccount({ wallet, payer: wallet }, destination, mint, tokenProgram, 'a reward'),
      instruction(
        harvestReward,
        farms,
        {
          payer: wallet,
          userState: farm.user,
          farmState: farm.address,
          globalConfig,
          rewardMint: mint,
          userRewardTokenAccount: destination,
          rewardsVault: info.rewardsVault,
          rewardsTreasuryVault: rewardTreasury(farms, globalConfig, mint).address,
          farmVaultsAuthority: farmAuthority(farms, farm.address).address,
          scopePrices: presentAddress(scopePrices),
          tokenProgram,
        },
        { rewardIndex: BigInt(index) },
        { summary: 'Claim a reward' },
      ),
    ];
  }

  #send(wallet: Address): Wish | null {
    const { mint } = this.#random.pick(this.#localChain.world.tokens);
    const to = this.#random.pick(this.#wallets);
    const accountOf = (owner: Address) => associatedTokenAddress(owner, mint.program, mint.address).address;
    const destination = accountOf(to);
    const source = accountOf(wallet);
    const amount = BigInt(this.#random.below(1_000_000));
    const instructions = [
      instruction(
        transferChecked,
        mint.program,
        { source, mint: mint.address, destination, owner: wallet },
        { amount, decimals: mint.decimals },
        { summary: 'Send tokens' },
      ),
    ];
    const isKnown = [source, destination].every((each) => this.#localChain.account(each) !== undefined);
    return isKnown ? { name: 'send', wallet, instructions, tables: [] } : null;
  }

  #spendable({ isSol, token, walletLamports }: LendingAccounts | VaultAccounts): bigint {
    return isSol ? atLeastZero((walletLamports ?? 0n) - KEPT_LAMPORTS) : (token.account?.amount ?? 0n);
  }
}

/**
 * The reserves for a wallet's obligation. The last one keeps to the market's first elevation group, on both sides, so that it
 * can join that group.
 */
function reservesFor({ groups, reserves }: Market, id: number): Sides {
  const [group] = groups;
  if (group === undefined || id < OBLIGATIONS_PER_WALLET - 1) return { collateral: reserves, debt: reserves };
  const isDebt = ({ token }: WorldReserve) => token.symbol === group.debt;
  return {
    collateral: reserves.filter((each) => each.spec.groups?.includes(group.id) === true && !isDebt(each)),
    debt: reserves.filter(isDebt),
  };
}

/** Base units of the reserve's token for a value in dollars, at its stored price and borrow factor; 0 for a negative one. */
function worth({ liquidity, config }: Reserve, usd: Rational): bigint {
  const { marketPriceSf, mintDecimals } = liquidity;
  if (marketPriceSf === 0n || usd.isNegative) return 0n;
  const unitsPerUsd = Rational.of(
    FRACTION_ONE * 10n ** mintDecimals * 100n,
    marketPriceSf * config.borrowFactorPct,
  );
  return usd.mul(unitsPerUsd).floor();
}
