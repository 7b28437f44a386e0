import type { AccountReader } from '@sluice/localnet/runtime/account-overlay';
import { farmUserState } from '@sluice/protocol/farms/addresses';
import { userState } from '@sluice/protocol/farms/user-state';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS, presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { expectPosition } from '../support/leverage/expect-position.ts';
import { type Amount, LeverageDesk, type Pair } from '../support/leverage/leverage-desk.ts';

/**
 * Positions of several pairs of tokens, opened, raised, lowered and closed on the localnet. The maker pays exactly the
 * minimum out, so the outcome is the worst case of the preview.
 */

const { klend, farms } = MAINNET_PROGRAMS;

interface Case extends Pair {
  readonly tag: 'MULTIPLY' | 'LEVERAGE';
  /** Collateral of the wallet, beside its SOL. */
  readonly own: readonly Amount[];
  /** Base units: own deposit, borrow, flash loan, and what the maker pays for it. */
  readonly open: readonly [own: bigint, borrow: bigint, loan: bigint, bought: bigint];
  /** Base units: repayment, collateral sold, and what the maker pays. */
  readonly lower: readonly [repaid: bigint, sold: bigint, bought: bigint];
  /** Base units: collateral sold and what the maker pays, more than the debt. */
  readonly close: readonly [sold: bigint, bought: bigint];
  readonly farmed: { readonly collateral: boolean; readonly debt: boolean };
}

const CASES: readonly Case[] = [
  {
    collateral: 'SOL',
    debt: 'USDC',
    tag: 'MULTIPLY',
    own: [],
    open: [2_000_000_000n, 100_000_000n, 99_000_000n, 500_000_000n],
    lower: [30_000_000n, 160_000_000n, 30_000_300n],
    close: [400_000_000n, 75_000_000n],
    farmed: { collateral: false, debt: true },
  },
  {
    collateral: 'jitoSOL',
    debt: 'SOL',
    tag: 'MULTIPLY',
    own: [['jitoSOL', 5_000_000_000n]],
    open: [3_000_000_000n, 1_000_000_001n, 999_000_000n, 800_000_000n],
    lower: [300_000_000n, 290_000_000n, 300_003_001n],
    close: [700_000_000n, 720_000_000n],
    farmed: { collateral: true, debt: true },
  },
  {
    collateral: 'USDC',
    debt: 'SOL',
    tag: 'LEVERAGE',
    own: [['USDC', 900_000_000n]],
    open: [800_000_000n, 1_000_000_001n, 999_000_000n, 140_000_000n],
    lower: [300_000_000n, 60_000_000n, 300_003_001n],
    close: [200_000_000n, 720_000_000n],
    farmed: { collateral: true, debt: true },
  },
  {
    collateral: 'mSOL',
    debt: 'USDC',
    tag: 'LEVERAGE',
    own: [['mSOL', 3_000_000_000n]],
    open: [1_000_000_000n, 100_000_000n, 99_990_000n, 400_000_000n],
    lower: [30_000_000n, 160_000_000n, 30_000_300n],
    close: [400_000_000n, 75_000_000n],
    farmed: { collateral: false, debt: true },
  },
];

let world: ActingApp;
beforeAll(async () => {
  world = await startActingApp();
});
afterAll(() => world?.stop());

/** The stakes of the obligation in the farms of both reserves; null where there is no farm. */
function stakesOf(after: AccountReader, obligation: Address, desk: LeverageDesk, pair: Pair) {
  const stakeIn = (farm: Address | null) => {
    if (farm === null) return null;
    const account = after.get(farmUserState(farms, farm, obligation).address);
    return account === undefined ? null : userState.decode(account, farms).activeStakeScaled;
  };
  const reserveOf = (symbol: string) =>
    reserveLayout.decode(after.get(desk.of(symbol).address) ?? expect.fail('no reserve'), klend);
  return {
    collateral: stakeIn(presentAddress(reserveOf(pair.collateral).farmCollateral)),
    debt: stakeIn(presentAddress(reserveOf(pair.debt).farmDebt)),
  };
}

describe.each(CASES)('$collateral against $debt, $tag', (given) => {
  const { collateral, debt, tag, farmed } = given;
  let desk: LeverageDesk;
  let obligation: Address;
  let choice: object;

  beforeAll(async () => {
    desk = await LeverageDesk.open(world, given.own, [collateral, debt]);
    const seeds = { id: 0, seed1: desk.of(collateral).mint, seed2: desk.of(debt).mint };
    obligation = desk.obligation({ tag: tag === 'MULTIPLY' ? 1 : 3, ...seeds });
    // The default is MULTIPLY with the two mints.
    choice = tag === 'MULTIPLY' ? {} : { obligation: { tagged: { tag, ...seeds } } };
  });

  const depositOf = (after: AccountReader) =>
    obligationLayout.decode(after.get(obligation) ?? expect.fail('no obligation'), klend).deposits[0]
      ?.depositedAmount;

  it('opens', async () => {
    const [own, borrow, loan, bought] = given.open;
    const acted = await desk.act('Multiply', given, {
      ...choice,
      deposit: { baseUnits: String(own) },
      borrow: { baseUnits: String(borrow) },
      swap: desk.swap([debt, loan], [collateral, bought]),
    });
    expectPosition(desk, given, obligation, acted);
    const { after } = acted.landed;
    const account = obligationLayout.decode(after.get(obligation) ?? expect.fail('no obligation'), klend);
    expect(account.tag).toBe(tag === 'MULTIPLY' ? 1n : 3n);
    const stakes = stakesOf(after, obligation, desk, given);
    expect(stakes.collateral).toBe(farmed.collateral ? depositOf(after) : null);
    if (farmed.debt) expect(stakes.debt).toBeGreaterThan(0n);
    else expect(stakes.debt).toBeNull();
  });

  it('is raised without tokens of its own', async () => {
    const [, borrow, loan, bought] = given.open.map((units) => units / 10n);
    const acted = await desk.act('Multiply', given, {
      ...choice,
      borrow: { baseUnits: String(borrow) },
      swap: desk.swap([debt, loan ?? 0n], [collateral, bought ?? 0n]),
    });
    expectPosition(desk, given, obligation, acted);
  });

  it('is lowered', async () => {
    const [repaid, sold, bought] = given.lower;
    const acted = await desk.act('Deleverage', given, {
      ...choice,
      amount: { baseUnits: String(repaid) },
      swap: desk.swap([collateral, sold], [debt, bought]),
    });
    expectPosition(desk, given, obligation, acted);
    expect(stakesOf(acted.landed.after, obligation, desk, given).collateral).toBe(
      farmed.collateral ? depositOf(acted.landed.after) : null,
    );
  });

  it('repays with collateral, and a better swap leaves the surplus in the wallet', async () => {
    const [repaid, sold, bought] = given.lower.map((units) => units / 3n);
    const minimum = bought ?? 0n;
    const surplus = 12_345n;
    const acted = await desk.act('RepayWithCollateral', given, {
      obligation: { address: obligation },
      amount: { baseUnits: String(repaid) },
      swap: desk.swap([collateral, sold ?? 0n], [debt, minimum + surplus], minimum),
    });
    const [gained, received] = acted.changes;
    expectPosition(desk, given, obligation, { ...acted, changes: [gained, received - surplus] });
  });

  it('closes, and its collateral returns', async () => {
    const [sold, bought] = given.close;
    const acted = await desk.act('Deleverage', given, {
      ...choice,
      amount: { all: 'ALL' },
      swap: desk.swap([collateral, sold], [debt, bought]),
    });
    expect(acted.changes).toEqual(
      acted.preview.worstCase.walletChanges.map(({ baseUnits }) => BigInt(baseUnits)),
    );
    expect([acted.preview.tokens.after, acted.preview.debtTokens.after]).toEqual(['0', '0']);
    expect(world.localnet.chain.account(obligation)).toBeUndefined();
    const stakes = stakesOf(acted.landed.after, obligation, desk, given);
    expect(stakes).toEqual({
      collateral: farmed.collateral ? 0n : null,
      debt: farmed.debt ? 0n : null,
    });
  });
});
