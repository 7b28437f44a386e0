import { VAULT_ERRORS } from '@sluice/protocol/error-names';
import { withdrawResultEvent } from '@sluice/protocol/kvault/events';
import { FRACTION_ONE, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LOOKUPS } from '../../packages/protocol/test/support/transaction-maker.ts';
import { buildVaultExit } from '../../src/builders/vault/action.ts';
import { vaultOutcome } from '../../src/builders/vault/preview.ts';
import { reserveNumbers, vaultNumbers, vaultOf } from '../support/builders/random-vault.ts';
import { programWithdraw } from '../support/builders/vault-program.ts';
import { ranTransaction } from '../support/localnet/ran-transaction.ts';
import { sharedWorld } from '../support/localnet/shared-world.ts';
import { VaultBench } from '../support/localnet/vault-bench.ts';
import { sellCall, withdrawCall, withdrawFromAvailableCall } from '../support/localnet/vault-calls.ts';

const read = createTransactionReader(MAINNET_PROGRAMS);
const WITHDRAWALS = /^Withdraw /;
/** A collateral token is worth 1.5 base units, a share one; nothing is idle. */
const INVESTED = {
  idle: 0n,
  sharesIssued: 1_350n,
  reserves: [{ available: 1_500n, minted: 1_000n, owned: 900n }],
};

function invested(change = {}): VaultBench {
  const bench = new VaultBench('Pilot USDC');
  bench.shrink({ ...INVESTED, change });
  bench.fund(0n, 1_350n);
  return bench;
}

const outcome = (bench: VaultBench) => ({
  paid: bench.balance(bench.tokenAccount),
  shares: bench.balance(bench.shareAccount),
  idle: bench.state().tokenAvailable,
});

describe('a vault withdrawal', () => {
  it('pays what the builder promises, to the base unit, in every vault of the world', () => {
    let fromReserves = 0;
    for (const { name } of sharedWorld().world.vaults) {
      const issued = new VaultBench(name).state().sharesIssued;
      if (issued < 10_000n) continue;
      for (const part of [200n, 3n]) {
        const bench = new VaultBench(name);
        const held = issued / part;
        bench.fund(0n, held);
        const accounts = bench.accounts();
        const shares = Rational.of(held, 10n ** accounts.vault.sharesMintDecimals);
        const { action } = buildVaultExit({ ...accounts, farm: null }, { shares }, bench.moment);
        const promised = vaultOutcome({ ...accounts, farm: null }, 'withdraw', action, bench.moment);
        const withdrawals = action.instructions.filter(({ summary }) => WITHDRAWALS.test(summary));
        // One transaction each: five withdrawals from a vault with 25 reserves exceed the compute budget.
        const failures = withdrawals.map((each) => bench.run([each]).failure);
        if (withdrawals.some(({ labels }) => labels.includes('reserve'))) fromReserves += 1;
        expect({
          name,
          part,
          failures,
          paid: bench.balance(bench.tokenAccount),
          shares: held - bench.balance(bench.shareAccount),
          idle: bench.state().tokenAvailable,
          prevAumSf: bench.state().prevAumSf,
          pendingFeesSf: bench.state().pendingFeesSf,
        }).toEqual({
          name,
          part,
          failures: withdrawals.map(() => null),
          paid: promised.tokens,
          shares: promised.shares,
          idle: promised.vault.tokenAvailable,
          prevAumSf: promised.vault.prevAumSf,
          pendingFeesSf: promised.vault.pendingFeesSf,
        });
        expect(bench.supply(bench.vault.sharesMint.address)).toBe(bench.state().sharesIssued);
        for (const { reserve, holding } of bench.vault.allocations) {
          const { liquidity, collateral } = bench.reserve(reserve.address);
          expect(bench.balance(reserve.liquidityVault.address)).toBe(
            liquidity.totalAvailableAmount + liquidity.rewardsAmountAvailable,
          );
          expect(bench.supply(reserve.collateralMint.address)).toBe(collateral.mintTotalSupply);
          const allocation = bench
            .state()
            .vaultAllocationStrategy.find((each) => each.reserve === reserve.address);
          expect(allocation?.ctokenAllocation).toBe(bench.balance(holding.address));
        }
      }
    }
    expect(fromReserves).toBeGreaterThan(20);
  });

  it('keeps the rounding unit of a reserve in the vault', () => {
    // 101 cost 68 collateral tokens, which redeem to 102.
    const whole = invested();
    expect(whole.run([withdrawCall(whole, 101n)]).failure).toBeNull();
    expect(outcome(whole)).toEqual({ paid: 101n, shares: 1_350n - 101n, idle: 1n });
    // 100 cost 67, which are worth 100.5 and redeem to 100; the program sends a unit less.
    const lost = invested();
    expect(lost.run([sellCall(lost, 100n)]).failure).toBeNull();
    expect(outcome(lost)).toEqual({ paid: 99n, shares: 1_350n - 100n, idle: 1n });
    expect(lost.state().vaultAllocationStrategy[0]?.ctokenAllocation).toBe(900n - 67n);
  });

  it('leaves the penalty to the other shareholders', () => {
    const bench = new VaultBench('Pilot USDC');
    bench.shrink({ ...INVESTED, idle: 1_000n, change: { withdrawalPenaltyBps: 33n } });
    bench.fund(0n, 500n);
    // 1350 shares own 2350: 500 are worth 870, less 2.871 rounded up.
    expect(bench.run([withdrawFromAvailableCall(bench, 500n)]).failure).toBeNull();
    expect(outcome(bench)).toEqual({ paid: 867n, shares: 0n, idle: 133n });
    expect(bench.state()).toMatchObject({ sharesIssued: 850n, prevAumSf: (2_350n - 867n) * FRACTION_ONE });
  });

  it('pays idle tokens first and burns only the shares that it pays for', () => {
    const bench = new VaultBench('Pilot USDC');
    bench.shrink({ ...INVESTED, idle: 150n, sharesIssued: 1_500n });
    bench.fund(0n, 400n);
    expect(bench.run([withdrawFromAvailableCall(bench, U64_MAX)]).failure).toBeNull();
    expect(outcome(bench)).toEqual({ paid: 150n, shares: 250n, idle: 0n });
    expect(bench.run([withdrawCall(bench, U64_MAX)]).failure).toBeNull();
    // 250 cost 167 collateral tokens, worth 250.5.
    expect(outcome(bench)).toEqual({ paid: 399n, shares: 0n, idle: 1n });
  });

  it('calls programs and records events in the order of the program, and is read back', () => {
    const bench = invested();
    const instructions = [withdrawCall(bench, 101n)];
    const result = bench.run(instructions);
    const calls = (result.inner[0] ?? []).map(({ stackHeight, instruction }) => [
      stackHeight,
      Buffer.from(instruction.data).toString('hex').slice(0, 16),
      instruction.data.length,
    ]);
    expect(calls.map(([height, start]) => `${height} ${String(start).slice(0, 4)}`)).toEqual([
      '2 906e',
      '2 0865',
      '2 ea75',
      '3 0844',
      '3 0c66',
      '2 0c65',
      '2 e445',
      '2 e445',
    ]);
    // The vault program pads its calls to the lending program.
    expect(calls[2]?.[2]).toBe(40);
    const event = result.inner[0]?.at(-1)?.instruction;
    if (event === undefined) throw new Error('no event');
    expect(withdrawResultEvent.decode(event).args).toMatchObject({
      sharesToBurn: 101n,
      availableToSendToUser: 0n,
      investedToDisinvestCtokens: 68n,
      investedLiquidityToSendToUser: 101n,
    });
    const { vaultEvents, problems } = read(ranTransaction(instructions, result), LOOKUPS);
    expect(problems).toEqual([]);
    expect(vaultEvents).toMatchObject([
      {
        kind: 'withdraw',
        tokens: 101n,
        shares: 101n,
        reserve: bench.reserveAddress(0),
        reserveTokens: -102n,
      },
    ]);
  });
});

const given = fc.record({
  ...vaultNumbers,
  reserves: fc.array(reserveNumbers, { minLength: 3, maxLength: 3 }),
  asked: fc.array(fc.record({ from: fc.constantFrom(null, 0, 1, 2), perMille: fc.bigInt(1n, 1_100n) }), {
    minLength: 1,
    maxLength: 4,
  }),
  penaltyUnits: fc.constantFrom(0n, 1n, 50n),
});

describe('vault withdrawals at random', () => {
  it('agree with an independent port of the program, refusals included', () => {
    let [paid, refused] = [0, 0];
    fc.assert(
      fc.property(given, (from) => {
        const bench = new VaultBench('Jetty USDC');
        const now = bench.clock.unixTimestamp;
        const { port, portReserves, reserves, held, fields } = vaultOf(from, now);
        fc.pre(held > 0n);
        bench.shrink({
          idle: from.idle,
          sharesIssued: port.sharesIssued,
          reserves: reserves.map(({ borrowed, ...rest }) => ({ ...rest, lent: borrowed })),
          change: {
            ...fields,
            withdrawalPenaltyBps: from.penaltyBps,
            withdrawalPenaltyLamports: from.penaltyUnits,
          },
        });
        // Rewards are in the vault before they are released.
        bench.setBalance(bench.vault.tokenVault.address, from.idle + from.rewardsAvailable);
        bench.fund(0n, held);
        const wallet = { shares: held, tokens: 0n };
        for (const { from: index, perMille } of from.asked) {
          const named = (held * perMille) / 1_000n;
          const call =
            index === null ? withdrawFromAvailableCall(bench, named) : withdrawCall(bench, named, index);
          const { failure } = bench.run([call]);
          const refusal = programWithdraw(port, portReserves, wallet, index, named, now);
          if (refusal !== undefined) {
            refused += 1;
            const code =
              refusal === 'InsufficientLiquidity'
                ? 6008
                : VAULT_ERRORS.first + VAULT_ERRORS.names.indexOf(refusal);
            expect([refusal, failure?.reason]).toEqual([refusal, { Custom: code }]);
            return;
          }
          paid += 1;
          expect(failure).toBeNull();
          const vault = bench.state();
          expect({
            paid: bench.balance(bench.tokenAccount),
            shares: bench.balance(bench.shareAccount),
            idle: vault.tokenAvailable,
            issued: vault.sharesIssued,
            pendingFees: vault.pendingFeesSf,
            prevAum: vault.prevAumSf,
            rewards: vault.rewardInfo.rewardsAvailable,
            allocations: vault.vaultAllocationStrategy.slice(0, 3).map((each) => each.ctokenAllocation),
          }).toEqual({
            paid: wallet.tokens,
            shares: wallet.shares,
            idle: port.tokenAvailable,
            issued: port.sharesIssued,
            pendingFees: port.pendingFees,
            prevAum: port.prevAum,
            rewards: port.rewardsAvailable,
            allocations: port.allocations,
          });
        }
      }),
      { numRuns: 150, seed: 20_261_117 },
    );
    expect(paid).toBeGreaterThan(150);
    expect(refused).toBeGreaterThan(5);
  });
});
