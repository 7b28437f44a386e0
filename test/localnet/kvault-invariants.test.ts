import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VaultBench } from '../support/localnet/vault-bench.ts';
import {
  depositCall,
  investCall,
  withdrawCall,
  withdrawFromAvailableCall,
} from '../support/localnet/vault-calls.ts';

const VAULTS = ['Harbor USDC Prime', 'Reef Growth', 'Lantern HUSD', 'Jetty USDC', 'Harbor SOL'];

const step = fc.record({
  kind: fc.constantFrom('deposit', 'withdraw', 'available', 'invest'),
  index: fc.nat(5),
  perMille: fc.bigInt(1n, 1_000n),
  /** Slots until the next step. */
  wait: fc.constantFrom(0n, 1n, 200n, 50_000n),
});

function books(bench: VaultBench) {
  const { vault } = bench;
  const state = bench.state();
  const reserves = vault.allocations.map(({ reserve, holding }) => {
    const { liquidity, collateral } = bench.reserve(reserve.address);
    const lentSf =
      liquidity.borrowedAmountSf -
      liquidity.accumulatedProtocolFeesSf -
      liquidity.accumulatedReferrerFeesSf -
      liquidity.pendingReferrerFeesSf;
    return {
      held: bench.balance(holding.address),
      booked: state.vaultAllocationStrategy.find((each) => each.reserve === reserve.address)
        ?.ctokenAllocation,
      liquidity: bench.balance(reserve.liquidityVault.address),
      available: liquidity.totalAvailableAmount,
      minted: bench.supply(reserve.collateralMint.address),
      mintTotalSupply: collateral.mintTotalSupply,
      supplySf: liquidity.totalAvailableAmount * FRACTION_ONE + lentSf,
    };
  });
  const investedSf = reserves.reduce(
    (sum, { held, minted, supplySf }) => (minted === 0n ? sum : sum + (held * supplySf) / minted),
    0n,
  );
  const tokenVault = bench.balance(vault.tokenVault.address);
  return {
    state,
    reserves,
    aumSf: state.tokenAvailable * FRACTION_ONE + investedSf - state.pendingFeesSf,
    /** Tokens of the token vault besides idle tokens and crank funds; never touched. */
    surplus: tokenVault - state.tokenAvailable - state.availableCrankFunds,
    tokens: reserves.reduce(
      (sum, { liquidity }) => sum + liquidity,
      tokenVault + bench.balance(bench.tokenAccount),
    ),
    shares: bench.supply(vault.sharesMint.address),
  };
}

describe('a vault under random deposits, withdrawals and investments', () => {
  it('keeps its books equal to the balances and creates no tokens', () => {
    let accepted = 0;
    const refusals = new Set<unknown>();
    fc.assert(
      fc.property(
        fc.constantFrom(...VAULTS),
        fc.array(step, { minLength: 4, maxLength: 10 }),
        (name, steps) => {
          const bench = new VaultBench(name);
          const fund = 10n ** 13n;
          const issued = bench.state().sharesIssued;
          // Shares of another holder, so that the supply stays what the vault has issued.
          bench.fund(fund, issued / 10n);
          const before = books(bench);
          for (const { kind, index, perMille, wait } of steps) {
            const { slot, unixTimestamp } = bench.clock;
            bench.clock = { slot: slot + wait, unixTimestamp: unixTimestamp + (wait * 2n) / 5n };
            const reserve = index % bench.vault.allocations.length;
            const shares = (bench.balance(bench.shareAccount) * perMille) / 1_000n;
            const call = {
              deposit: () => depositCall(bench, (bench.balance(bench.tokenAccount) * perMille) / 1_000n),
              withdraw: () => withdrawCall(bench, shares, reserve),
              available: () => withdrawFromAvailableCall(bench, shares),
              invest: () => investCall(bench, reserve),
            }[kind]();
            const earlier = books(bench);
            const { failure } = bench.run([call]);
            if (failure !== null) {
              refusals.add(typeof failure.reason === 'object' ? failure.reason.Custom : failure.reason);
              expect(books(bench)).toEqual(earlier);
              continue;
            }
            accepted += 1;
            const after = books(bench);
            expect(after.tokens).toBe(before.tokens);
            expect(after.surplus).toBe(before.surplus);
            expect(after.shares).toBe(after.state.sharesIssued + (before.shares - before.state.sharesIssued));
            for (const each of after.reserves) {
              expect([each.held, each.liquidity, each.minted]).toEqual([
                each.booked,
                each.available,
                each.mintTotalSupply,
              ]);
            }
            // Nobody's action takes from the other shareholders, except for the fees that time has brought.
            if (wait === 0n && earlier.state.sharesIssued > 0n && after.state.sharesIssued > 0n) {
              const feesSf = after.state.pendingFeesSf - earlier.state.pendingFeesSf;
              const floor = (earlier.aumSf - feesSf) * after.state.sharesIssued;
              const slack = FRACTION_ONE * earlier.state.sharesIssued;
              expect(after.aumSf * earlier.state.sharesIssued + slack).toBeGreaterThanOrEqual(floor);
            }
          }
        },
      ),
      { numRuns: 60, seed: 20_261_118 },
    );
    expect(accepted).toBeGreaterThan(150);
    // Only refusals that the amounts explain.
    for (const refusal of refusals)
      expect([6008, 7004, 7013, 7026, 7038, 7039, 7040, 7045, 7050]).toContain(refusal);
  });
});
