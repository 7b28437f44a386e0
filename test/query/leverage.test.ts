import { lookupTableAddress, marketOwner } from '@sluice/localnet/world/markets';
import { obligationAddress } from '@sluice/protocol/klend/addresses';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ActingApp, type Landed, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount } from '../support/apps/plan-actor.ts';
import { debtUnits, depositUnits, ratiosOf } from '../support/lending/position-units.ts';
import {
  buildLeverage,
  type LeverageAction,
  type LeveragePlan,
  sendSigned,
} from '../support/leverage/leverage-actor.ts';
import { given, swapWith } from '../support/leverage/maker-swap.ts';

/**
 * Actions around a flash loan, with a swap of plain transfers between the wallet and a market maker who co-signs: built,
 * signed by both, sent and read back. The chain is frozen, so a preview is compared to the base unit.
 */

const { klend } = MAINNET_PROGRAMS;
/** The market's table, which holds its accounts: with it, everything fits into one transaction. */
const TABLE = lookupTableAddress(marketOwner('sluice'), 'Harbor Market');
const options = { lookupTables: [TABLE] };

let world: ActingApp;
let wallet: KeyPairSigner;
let maker: KeyPairSigner;
let collateral: Address;
let debt: Address;
let obligation: Address;
let target: { wallet: Address; market: Address; collateralReserve: Address; debtReserve: Address };
let headers: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  world = await startActingApp();
  const { market, stakedReserve, stakedMint, reserve, tokenMint } = world.localnet.addresses;
  [collateral, debt] = [stakedMint, tokenMint];
  wallet = await world.newWallet({ [collateral]: 3_000_000_000n });
  maker = await world.newWallet({ [collateral]: 10_000_000_000n, [debt]: 10_000_000_000n });
  target = { wallet: wallet.address, market, collateralReserve: stakedReserve, debtReserve: reserve };
  const key = { tag: 1, id: 0, seed1: collateral, seed2: debt };
  obligation = obligationAddress(klend, wallet.address, market, key).address;
});
afterAll(() => world?.stop());

/** Sells one token to the maker for another. */
const swap = (paid: [Address, bigint], received: [Address, bigint], inAmount: bigint | null) => ({
  instructions: given(
    swapWith(
      maker.address,
      wallet.address,
      { mint: paid[0], amount: paid[1] },
      { mint: received[0], amount: received[1] },
    ),
  ),
  minOut: String(received[1]),
  signers: [maker.address],
  ...(inAmount === null ? {} : { inAmount: String(inAmount) }),
});

async function act(action: LeverageAction, input: object): Promise<LeveragePlan & { landed: Landed }> {
  const plan = await buildLeverage(world, action, { ...target, options, ...input }, headers);
  expect(plan.code, plan.message).toBeUndefined();
  expect(plan.preview.warnings.filter(({ level }) => level === 'ERROR')).toEqual([]);
  expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
  expect(plan.transactions.map(({ signers }) => signers)).toEqual([[wallet.address, maker.address]]);
  const landed = await sendSigned(world, plan.transactions[0]?.base64, wallet, maker);
  ({ headers } = landed);
  return { ...plan, landed };
}

/** Runs the action; the wallet's tokens change as the worst case says, since the maker pays the minimum. */
async function actAndCount(action: LeverageAction, input: object) {
  const balances = async () => [
    await world.tokens(wallet.address, collateral),
    await world.tokens(wallet.address, debt),
  ];
  const before = await balances();
  const acted = await act(action, input);
  const after = await balances();
  const changes = acted.preview.worstCase.walletChanges.map(({ baseUnits }) => BigInt(baseUnits));
  expect(after.map((units, i) => units - (before[i] ?? 0n))).toEqual(changes);
  return { ...acted, changes };
}

const published = (units: Rational, decimals: number) =>
  toDecimalString(units.div(Rational.of(10n ** BigInt(decimals))));

function expectNear(text: string | null | undefined, wanted: Rational | null): void {
  if (wanted === null) {
    expect(text).toBeNull();
    return;
  }
  const found = parseDecimal(text ?? expect.fail('no number'));
  const distance = found.sub(wanted).abs();
  expect(distance.compare(Rational.of(1n, 10n ** 14n)), `${text}, not ${toDecimalString(wanted)}`).toBe(-1);
}

/** 20 USDC more debt, of which 15 are swapped. */
const growth = () => ({
  borrow: { tokens: '20' },
  swap: swap([debt, 15_000_000n], [collateral, 64_000_000n], 15_000_000n),
});

/** The obligation's own net APY, that of a preview before an action, and the rewards for debts. */
async function netApys(multiply: object) {
  const { data } = await world.gateway.query<{
    obligation: { netApy: string };
    preview: { netApy: { before: string } };
    reserve: { borrowApy: { farmRewards: string } };
  }>(
    `query ($obligation: Address!, $reserve: Address!, $multiply: MultiplyInput!) {
      obligation(address: $obligation) { netApy }
      preview(action: { multiply: $multiply }) { ... on Preview { netApy { before } } }
      reserve(address: $reserve) { borrowApy { farmRewards } }
    }`,
    { variables: { obligation, reserve: target.debtReserve, multiply: { ...target, ...multiply } }, headers },
  );
  const { obligation: own, preview, reserve } = data;
  return { own: own.netApy, before: preview.netApy.before, rewards: reserve.borrowApy.farmRewards };
}

const distance = (published: string | null, outcome: Rational): number =>
  Math.abs(
    parseDecimal(published ?? '')
      .sub(outcome)
      .toNumber(),
  );

/** The chain has the position of the preview. */
function expectPosition({ preview, landed: { after } }: Awaited<ReturnType<typeof act>>): void {
  const { collateralReserve, debtReserve } = target;
  expect(preview.tokens.after).toBe(published(depositUnits(after, obligation, collateralReserve), 9));
  expect(preview.debtTokens.after).toBe(published(debtUnits(after, obligation, debtReserve), 6));
  const { loanToValue, healthFactor } = ratiosOf(after, obligation);
  expectNear(preview.loanToValue.after, loanToValue);
  expectNear(preview.healthFactor.after, healthFactor);
}

describe('a position with borrowed money', () => {
  it('opens with a flash loan, and what is not deposited stays in the wallet', async () => {
    const acted = await actAndCount('Multiply', {
      deposit: { tokens: '1' },
      borrow: { tokens: '150' },
      swap: swap([debt, 149_998_500n], [collateral, 650_000_000n], null),
    });
    expectPosition(acted);
    const { preview, changes } = acted;
    // 150 USDC and 1/10,000 of origination fee.
    expect(preview.debtTokens).toEqual({ before: '0', after: '150.015' });
    expect(preview.fees).toEqual([
      { kind: 'FLASH_LOAN', amount: { baseUnits: '1500' } },
      { kind: 'ORIGINATION', amount: { baseUnits: '15000' } },
    ]);
    // The deposit takes what its collateral tokens are worth, rounded up: at most a unit less than offered.
    expect(changes[1]).toBe(0n);
    expect([-1_000_000_000n, -999_999_999n]).toContain(changes[0]);
    expect(preview.healthFactor.before).toBeNull();
    expect(preview.netApy.before).toBe('0');
    expect(preview.worstCase.leverage).toBe(preview.leverage.after);
  });

  it('is previewed with the net APY that the obligation shows, with all rewards', async () => {
    // The View is built a moment after a slot ends; then it has the accounts that a build reads.
    await vi.waitFor(
      async () => {
        const { own, before, rewards } = await netApys(growth());
        expect(rewards).not.toBe('0');
        expect(before).toBe(own);
      },
      { timeout: 10_000, interval: 250 },
    );
  });

  it('grows, and pays a flash loan of a stated size out of a larger borrow', async () => {
    const acted = await actAndCount('Multiply', growth());
    expectPosition(acted);
    // 20 borrowed, 15 and a fee of 150 base units repaid.
    expect(acted.changes[1]).toBe(4_999_850n);
    const { netApy, worstCase } = acted.preview;
    expect(worstCase.netApy).toBe(netApy.after);
    // It is read some slots later, which change it far less than the action did.
    const outcome = parseDecimal((await netApys(growth())).own);
    const missed = distance(netApy.after, outcome);
    expect(missed).toBeLessThan(distance(netApy.before, outcome) / 100);
  });

  it('shrinks by a repayment with its collateral', async () => {
    const acted = await actAndCount('Deleverage', {
      amount: { tokens: '60' },
      swap: swap([collateral, 262_000_000n], [debt, 60_010_000n], 262_000_000n),
    });
    expectPosition(acted);
    // 10,000 more than 60 USDC comes in; the fee of the loan of 60 USDC is 600.
    expect(acted.changes[1]).toBe(9_400n);
    const { leverage, liquidationPriceUsd, netApy } = acted.preview;
    expect(parseDecimal(leverage.after ?? '').compare(parseDecimal(leverage.before ?? ''))).toBe(-1);
    expect(
      parseDecimal(liquidationPriceUsd.after ?? '').compare(parseDecimal(liquidationPriceUsd.before ?? '')),
    ).toBe(-1);
    expect(netApy.before).not.toBe(netApy.after);
  });

  it('any obligation repays with a part of its collateral', async () => {
    const acted = await actAndCount('RepayWithCollateral', {
      obligation: { address: obligation },
      amount: { baseUnits: '1000000' },
      swap: swap([collateral, 4_400_000n], [debt, 1_000_010n], 4_400_000n),
    });
    expectPosition(acted);
    expect(acted.changes[1]).toBe(0n);
  });

  it('closes when all of the debt is repaid', async () => {
    const acted = await actAndCount('Deleverage', {
      amount: { all: 'ALL' },
      swap: swap([collateral, 520_000_000n], [debt, 119_000_000n], 520_000_000n),
    });
    expect(acted.preview.debtTokens.after).toBe('0');
    expect(acted.preview.tokens.after).toBe('0');
    expect(acted.preview.healthFactor.after).toBeNull();
    expect(world.localnet.chain.account(obligation)).toBeUndefined();
  });
});

describe('a debt with a fixed term, before its end', () => {
  /** The penalty of the preview, which the flash loan covers together with the repayment. */
  const penaltyOf = ({ preview, bundle }: LeveragePlan, repaid: bigint): bigint => {
    const fee = preview.fees.find(({ kind }) => kind === 'EARLY_REPAY_PENALTY') ?? expect.fail('no penalty');
    const penalty = BigInt(fee.amount.baseUnits);
    const loan = `Take a flash loan of ${published(Rational.of(repaid + penalty), 6)} USDC`;
    expect(bundle.instructions.map(({ summary }) => summary)).toContain(loan);
    return penalty;
  };

  it('opens', async () => {
    alterAccount(world, reserveLayout, target.debtReserve, {
      config: { debtTermSeconds: 2_592_000n, earlyRepayRemainingInterestPct: 40 },
    });
    const acted = await actAndCount('Multiply', {
      deposit: { tokens: '1' },
      borrow: { tokens: '150' },
      swap: swap([debt, 149_998_500n], [collateral, 650_000_000n], null),
    });
    expectPosition(acted);
  });

  it('shrinks: the swap also pays the penalty', async () => {
    const acted = await actAndCount('Deleverage', {
      amount: { tokens: '60' },
      swap: swap([collateral, 262_000_000n], [debt, 61_000_000n], 262_000_000n),
    });
    expectPosition(acted);
    const penalty = penaltyOf(acted, 60_000_000n);
    expect(penalty).toBeGreaterThan(50_000n);
    const fee = acted.preview.fees.find(({ kind }) => kind === 'FLASH_LOAN')?.amount.baseUnits;
    expect(acted.changes[1]).toBe(1_000_000n - penalty - BigInt(fee ?? 0));
  });

  it('is refused with a swap that only pays the debt', async () => {
    const refused = await buildLeverage(
      world,
      'Deleverage',
      {
        ...target,
        options,
        amount: { tokens: '60' },
        swap: swap([collateral, 262_000_000n], [debt, 60_010_000n], 262_000_000n),
      },
      headers,
    );
    expect(refused.code).toBe('SWAP_REFUSED');
  });

  it('closes', async () => {
    const acted = await actAndCount('Deleverage', {
      amount: { all: 'ALL' },
      swap: swap([collateral, 520_000_000n], [debt, 119_000_000n], 520_000_000n),
    });
    expect(acted.preview.debtTokens.after).toBe('0');
    expect(acted.preview.fees.map(({ kind }) => kind)).toContain('EARLY_REPAY_PENALTY');
    expect(world.localnet.chain.account(obligation)).toBeUndefined();
  });
});
