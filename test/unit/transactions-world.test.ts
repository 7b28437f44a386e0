import { farmUserIn } from '@sluice/localnet/world/farms';
import { Journal } from '@sluice/localnet/world/journal';
import { accountOf } from '@sluice/localnet/world/token-instructions';
import { createWorldChain, type WorldChain } from '@sluice/localnet/world/world-chain';
import { userState } from '@sluice/protocol/farms/user-state';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { FRACTION_ONE, fromBigScaledFraction, WAD } from '@sluice/protocol/numeric/fraction';
import { ONE, Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, presentAddress } from '@sluice/protocol/program-ids';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type {
  EventLookups,
  EventProblem,
  LendingEvent,
  VaultEvent,
} from '@sluice/protocol/transactions/events';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { accountsOf } from '../../packages/localnet/test/world/world-reading.ts';
import { ObligationFold } from '../../src/domain/pnl/obligation-fold.ts';
import { afterEvent, NO_SHARES, type ShareBalance } from '../../src/domain/pnl/share-balance.ts';
import { allTransactions, confirmed } from '../support/localnet/confirmed-transactions.ts';

const START = Date.UTC(2026, 5, 15, 13, 20);
const { klend, farms } = MAINNET_PROGRAMS;

let localChain: WorldChain;
const vaultEvents: VaultEvent[] = [];
const lendingEvents: LendingEvent[] = [];
const problems: EventProblem[] = [];
/** Cumulative borrow rates after each lending action. */
const rates = new Map<string, Rational>();
const rateKey = (reserve: Address, slot: bigint) => `${reserve}/${slot}`;

beforeAll(() => {
  // The chain stores no past rates, so they are recorded while the world advances.
  const append = Journal.prototype.append;
  vi.spyOn(Journal.prototype, 'append').mockImplementation(function (this: Journal, draft, act, concerned) {
    const reserves =
      act.kind === 'lend' ? [act.reserve] : act.kind === 'liquidation' ? [act.debt, act.collateral] : [];
    for (const { address, cumulativeRateSf } of reserves)
      rates.set(rateKey(address, draft.slot), Rational.of(cumulativeRateSf, FRACTION_ONE));
    return append.call(this, draft, act, concerned);
  });
  let now = START;
  localChain = createWorldChain({ now: () => now });
  const reserves = new Set(localChain.world.reserves.map(({ address }) => address));
  localChain.onTransaction(({ slot }, changed) => {
    for (const address of changed.filter((each) => reserves.has(each))) {
      const { liquidity } = reserveLayout.decode(accountIn(localChain, address), klend);
      rates.set(rateKey(address, slot), fromBigScaledFraction(liquidity.cumulativeBorrowRateBsf.value));
    }
  });
  for (let i = 0; i < 300; i += 1) {
    now += 400;
    localChain.tick();
  }
  const read = createTransactionReader(MAINNET_PROGRAMS);
  const lookups = lookupsOf(localChain);
  for (const transaction of allTransactions(localChain)) {
    const events = read(confirmed(transaction), lookups);
    vaultEvents.push(...events.vaultEvents);
    lendingEvents.push(...events.lendingEvents);
    problems.push(...events.problems);
  }
});

afterAll(() => {
  vi.restoreAllMocks();
});

function lookupsOf({ world }: WorldChain): EventLookups {
  const byShares = new Map(world.vaults.map(({ sharesMint, address }) => [sharesMint.address, address]));
  const byFarm = new Map(
    world.vaults.flatMap(({ farm, address }) => (farm === null ? [] : [[farm.address, address]])),
  );
  const owners = new Map(
    [...world.wallets, ...world.quietWallets].flatMap(({ address, obligations }) =>
      obligations.map((each) => [each.address, address]),
    ),
  );
  const referral = new Map(world.markets.map(({ address, referralFeeBps }) => [address, referralFeeBps]));
  return {
    vaultOfShares: (mint) => byShares.get(mint) ?? null,
    vaultOfFarm: (farm) => byFarm.get(farm) ?? null,
    ownerOfObligation: (obligation) => owners.get(obligation) ?? null,
    referralFeeBps: (market) => referral.get(market) ?? null,
  };
}

/** Shares staked, as the farm's account has them. */
function stakeOf(user: { readonly address: Address } | undefined): bigint {
  const account = user && localChain.account(user.address);
  return account === undefined ? 0n : userState.decode(account, farms).activeStakeScaled / WAD;
}

function tokensIn(address: Address): bigint {
  const account = localChain.account(address);
  return account === undefined ? 0n : decodeTokenAccount(account).amount;
}

describe('the events of the localnet', () => {
  it('are read without problems and have unique ids', () => {
    expect(problems).toEqual([]);
    const names = [...vaultEvents, ...lendingEvents].map(({ signature, index }) => `${signature}/${index}`);
    expect(new Set(names).size).toBe(names.length);
  });

  it('cover every kind', () => {
    expect(new Set(vaultEvents.map(({ kind }) => kind))).toEqual(
      new Set(['deposit', 'withdraw', 'transferIn', 'transferOut', 'stake', 'unstake', 'invest']),
    );
    expect(new Set(lendingEvents.map(({ kind }) => kind))).toEqual(
      new Set(['deposit', 'withdraw', 'borrow', 'repay', 'liquidation']),
    );
  });

  it('add up to the staked and unstaked shares of every wallet', () => {
    const balances = new Map<string, ShareBalance>();
    for (const event of vaultEvents) {
      const key = `${event.vault}/${event.wallet}`;
      balances.set(key, afterEvent(balances.get(key) ?? NO_SHARES, event));
    }
    let held = 0;
    for (const vault of localChain.world.vaults) {
      for (const wallet of localChain.world.wallets) {
        const { staked, unstaked } = balances.get(`${vault.address}/${wallet.address}`) ?? NO_SHARES;
        const stake = stakeOf(vault.farm === null ? undefined : farmUserIn(vault.farm, wallet));
        const amount = tokensIn(accountOf(wallet, vault.sharesMint));
        expect([staked, unstaked], `${wallet.address} in ${vault.name}`).toEqual([stake, amount]);
        if (stake + amount > 0n) held += 1;
      }
    }
    expect(held).toBeGreaterThan(300);
  });

  it('include full exits with a return, and account for every share sold', () => {
    const byPosition = new Map<string, VaultEvent[]>();
    for (const event of vaultEvents) {
      const key = `${event.vault}/${event.wallet}`;
      byPosition.set(key, [...(byPosition.get(key) ?? []), event]);
    }
    let [left, returned] = [0, 0];
    for (const events of byPosition.values()) {
      let balance = NO_SHARES;
      let gone = false;
      for (const event of events) {
        balance = afterEvent(balance, event);
        const held = balance.staked + balance.unstaked;
        expect(balance.staked >= 0n && balance.unstaked >= 0n, event.signature).toBe(true);
        if (gone && held > 0n) returned += 1;
        if (event.kind === 'withdraw' && held === 0n) left += 1;
        gone = event.kind !== 'invest' && held === 0n;
      }
    }
    expect(left).toBeGreaterThan(8);
    expect(returned).toBeGreaterThan(3);
  });

  it('add up to the collateral of every obligation exactly, and to its debts within rounding', () => {
    const folds = new Map<Address, ObligationFold>();
    const quotes = (reserve: Address, slot: number) => ({
      decimals: 0,
      liquidityPerCollateral: ONE,
      cumulativeBorrowRate: rates.get(rateKey(reserve, BigInt(slot))) ?? null,
      priceUsd: null,
      priceSol: null,
    });
    /** Changes of each debt by kind. */
    const changes = new Map<string, number>();
    for (const event of lendingEvents) {
      const change = `${event.kind} ${event.side} ${event.obligation} ${event.reserve}`;
      changes.set(change, (changes.get(change) ?? 0) + 1);
      const fold = folds.get(event.obligation) ?? new ObligationFold(quotes);
      folds.set(event.obligation, fold);
      fold.apply({ ...event, time: Number(event.slot) });
    }
    let debts = 0;
    const open = new Set<Address>();
    for (const [address, account] of accountsOf(localChain, klend, obligationLayout)) {
      open.add(address);
      const fold = folds.get(address) ?? new ObligationFold(quotes);
      expect(fold.complete, address).toBe(true);
      const deposits = account.deposits.filter((each) => presentAddress(each.depositReserve) !== null);
      expect(sorted(fold.at(0).deposits.map(({ reserve, collateral }) => [reserve, collateral]))).toEqual(
        sorted(deposits.map((each) => [each.depositReserve, each.depositedAmount])),
      );
      // The account's rate is as of its last refresh.
      const borrows = account.borrows.filter((each) => presentAddress(each.borrowReserve) !== null);
      for (const each of borrows)
        rates.set(rateKey(each.borrowReserve, 0n), fromBigScaledFraction(each.cumulativeBorrowRateBsf.value));
      const folded = new Map(fold.at(0).borrows.map(({ reserve, amount }) => [reserve, amount]));
      expect(folded.size).toBe(borrows.length);
      for (const { borrowReserve, borrowedAmountSf } of borrows) {
        const amount = folded.get(borrowReserve) ?? null;
        if (amount === null) throw new Error(`no debt of ${address} in ${borrowReserve}`);
        const excess = amount.sub(Rational.of(borrowedAmountSf, FRACTION_ONE)).toNumber();
        // Each of a few hundred refreshes rounds a debt down to 2^-60 base units. A liquidator pays whole base units, also
        // where the debt falls by less than the last one. Where a referrer gets a part of the origination fee, each
        // borrow's fee is only known to within two base units.
        const counted = (kind: string) => changes.get(`${kind} debt ${address} ${borrowReserve}`) ?? 0;
        const feeSlack = presentAddress(account.referrer) === null ? 0 : 2 * counted('borrow');
        const least = -counted('liquidation') - feeSlack;
        const most = feeSlack + 1e-12;
        expect(excess, `${address} in ${borrowReserve}`).toBeGreaterThanOrEqual(least);
        expect(excess, `${address} in ${borrowReserve}`).toBeLessThan(most);
        debts += 1;
      }
    }
    expect(debts).toBeGreaterThan(300);
    const closed = [...folds].filter(([address]) => !open.has(address));
    expect(closed.length).toBeGreaterThan(3);
    for (const [, fold] of closed) expect(fold.isEmpty).toBe(true);
  });
});

function sorted(pairs: [Address, bigint][]): [Address, bigint][] {
  return pairs.sort(([a], [b]) => (a < b ? -1 : 1));
}
