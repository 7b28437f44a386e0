import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { accountIn, TestChain, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import {
  fixed,
  type Now,
  ReserveState,
  UNIT,
} from '../../packages/localnet/test/support/lending/program-state.ts';
import { testApp } from '../support/apps/chain-app.ts';
import { askApp, type TestApp } from '../support/apps/test-app.ts';

const { klend, kvault } = MAINNET_PROGRAMS;

let localChain: TestChain;
let gateway: TestApp;

beforeAll(async () => {
  localChain = new TestChain();
  gateway = await testApp({ chain: localChain, env: { DRIFT_INTERVAL_MS: '0' } });
});

afterEach(() => localChain.restore());

afterAll(async () => {
  await gateway?.stop();
});

/** A large reserve that nobody has refreshed for a month: there, rounding costs thousands of base units. */
function neglect(address: Address): void {
  const account = accountIn(localChain, address);
  const { lastUpdate, liquidity } = reserve.decode(account, klend);
  const changed = withFields(reserve, account, {
    lastUpdate: {
      ...lastUpdate,
      slot: lastUpdate.slot - 6_000_000n,
      timestamp: lastUpdate.timestamp - 2_500_000,
    },
    liquidity: {
      ...liquidity,
      totalAvailableAmount: 500_000_000_000_007n,
      borrowedAmountSf: 1_500_000_000_000_000n * UNIT + 123_456_789n,
    },
  });
  localChain.place(address, changed);
}

/** The reserve as a second implementation of the program, in integers, refreshes it. */
function refreshed(address: Address, now: Now): ReserveState {
  const account = reserve.decode(accountIn(localChain, address), klend);
  const state = new ReserveState(address, account);
  state.accrue(now, lendingMarket.decode(accountIn(localChain, account.lendingMarket), klend));
  return state;
}

function borrowerOf(address: Address) {
  for (const [at, account] of localChain.programAccounts(klend)) {
    if (Buffer.compare(account.data.subarray(0, 8), obligation.discriminator) !== 0) continue;
    const { borrows } = obligation.decode(account, klend);
    const debt = borrows.find(({ borrowReserve }) => borrowReserve === address);
    if (debt !== undefined) return { address: at, debt };
  }
  throw new Error(`nobody borrows from ${address}`);
}

function investorIn(address: Address) {
  for (const { address: at } of localChain.worldChain.world.vaults) {
    const state = vaultState.decode(accountIn(localChain, at), kvault);
    const used = state.vaultAllocationStrategy.filter((each) => each.reserve !== NO_ADDRESS);
    if (used.some((each) => each.reserve === address && each.ctokenAllocation > 0n)) {
      return { address: at, state, used };
    }
  }
  throw new Error(`no vault invests in ${address}`);
}

interface Units {
  readonly baseUnits: string;
}

it.each([
  ['by slots', 'hbSOL', 0],
  ['by seconds', 'USDC', 1],
] as const)('amounts of a reserve that accrues %s are those of the program', async (_, symbol, basis) => {
  const found = localChain.worldChain.world.reserves.find(({ token }) => token.symbol === symbol);
  if (found === undefined) throw new Error(`no reserve of ${symbol}`);
  const { address } = found;
  neglect(address);
  localChain.advance();
  await gateway.app.chain.reach(localChain.slot, AbortSignal.timeout(60_000));
  const borrower = borrowerOf(address);
  const vault = investorIn(address);
  const { data, errors } = await askApp<{
    chain: { slot: string; blockTime: string };
    reserve: { supplied: Units; borrowed: Units; exchangeRate: string; interestRateBasis: string };
    obligation: { borrows: { reserve: { address: string }; amount: Units }[] };
    vault: { totalValue: Units };
  }>(
    gateway.app,
    `{ chain { slot blockTime }
       reserve(address: "${address}") { supplied { baseUnits } borrowed { baseUnits } exchangeRate interestRateBasis }
       obligation(address: "${borrower.address}") { borrows { reserve { address } amount { baseUnits } } }
       vault(address: "${vault.address}") { totalValue { baseUnits } } }`,
  );
  expect(errors).toEqual([]);
  expect(data.reserve.interestRateBasis).toBe(['PER_SLOT', 'PER_SECOND'][basis]);

  const now = { slot: BigInt(data.chain.slot), timestamp: BigInt(Date.parse(data.chain.blockTime) / 1_000) };
  const state = refreshed(address, now);
  expect(BigInt(data.reserve.supplied.baseUnits)).toBe(fixed.floor(state.supply));
  expect(BigInt(data.reserve.borrowed.baseUnits)).toBe(fixed.ceil(state.borrowed));
  const rate = Rational.of(state.minted * UNIT, state.supply);
  expect(data.reserve.exchangeRate).toBe(toDecimalString(rate));

  const stored = borrower.debt.cumulativeBorrowRateBsf.value.reduceRight(
    (sum, limb) => (sum << 64n) | limb,
    0n,
  );
  const owed = (borrower.debt.borrowedAmountSf * state.cumulativeRate) / stored;
  const shown = data.obligation.borrows.find((each) => each.reserve.address === address);
  expect(BigInt(shown?.amount.baseUnits ?? 0)).toBe(fixed.ceil(owed));

  const invested = vault.used.map(({ reserve: of, ctokenAllocation }) =>
    refreshed(of, now).toLiquidity(ctokenAllocation),
  );
  const gross = invested.reduce((sum, each) => sum + each, vault.state.tokenAvailable * UNIT);
  expect(BigInt(data.vault.totalValue.baseUnits)).toBe(fixed.floor(gross - vault.state.pendingFeesSf));
});
