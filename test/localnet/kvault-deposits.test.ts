import { depositResultEvent, depositUserAtaBalanceEvent } from '@sluice/protocol/kvault/events';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import { describe, expect, it } from 'vitest';
import { LOOKUPS } from '../../packages/protocol/test/support/transaction-maker.ts';
import { buildVaultEntry } from '../../src/builders/vault/action.ts';
import { vaultOutcome } from '../../src/builders/vault/preview.ts';
import { ranTransaction } from '../support/localnet/ran-transaction.ts';
import { sharedWorld } from '../support/localnet/shared-world.ts';
import { VaultBench } from '../support/localnet/vault-bench.ts';
import { buyCall, depositCall } from '../support/localnet/vault-calls.ts';

const read = createTransactionReader(MAINNET_PROGRAMS);
const OFFERED = 1_234_567_891n;
/** A cToken of the reserve is worth 1.5 base units, so the vault owns 500 and 1500. */
const SMALL = { idle: 500n, reserves: [{ available: 3_000n, minted: 2_000n, owned: 1_000n }] };

function small(sharesIssued: bigint, change = {}): VaultBench {
  const bench = new VaultBench('Pilot USDC');
  bench.shrink({ ...SMALL, sharesIssued, change });
  bench.fund(100_000n);
  return bench;
}

/** All base units of the vault's token in the accounts that a vault action touches. */
function tokensIn(bench: VaultBench): bigint {
  const { vault } = bench;
  const accounts = [
    bench.tokenAccount,
    vault.tokenVault.address,
    ...vault.allocations.map(({ reserve }) => reserve.liquidityVault.address),
  ];
  return accounts.reduce((sum, address) => sum + bench.balance(address), 0n);
}

describe('a vault deposit', () => {
  it('gives what the builder promises, to the base unit, in every vault of the world', () => {
    for (const { name } of sharedWorld().world.vaults) {
      const bench = new VaultBench(name);
      bench.fund(2n * OFFERED);
      const before = { tokens: tokensIn(bench), supply: bench.supply(bench.vault.sharesMint.address) };
      const accounts = bench.accounts();
      const units = 10n ** accounts.vault.tokenMintDecimals;
      const { action } = buildVaultEntry(accounts, { tokens: Rational.of(OFFERED, units) }, bench.moment);
      const promised = vaultOutcome(accounts, 'deposit', action, bench.moment);
      const deposits = action.instructions.filter(({ summary }) => summary.startsWith('Deposit up to'));
      const { failure } = bench.run(deposits);
      expect({ name, failure }).toEqual({ name, failure: null });
      const vault = bench.state();
      expect({
        name,
        shares: bench.balance(bench.shareAccount),
        paid: 2n * OFFERED - bench.balance(bench.tokenAccount),
        idle: vault.tokenAvailable,
        crankFunds: vault.availableCrankFunds,
        issued: vault.sharesIssued,
        prevAumSf: vault.prevAumSf,
        pendingFeesSf: vault.pendingFeesSf,
      }).toEqual({
        name,
        shares: promised.shares,
        paid: promised.tokens,
        idle: promised.vault.tokenAvailable,
        crankFunds: promised.vault.availableCrankFunds,
        issued: promised.vault.sharesIssued,
        prevAumSf: promised.vault.prevAumSf,
        pendingFeesSf: promised.vault.pendingFeesSf,
      });
      expect(tokensIn(bench)).toBe(before.tokens);
      expect(bench.supply(bench.vault.sharesMint.address) - before.supply).toBe(promised.shares);
      expect(vault.sharesIssued).toBe(bench.supply(bench.vault.sharesMint.address));
      expect(bench.balance(bench.vault.tokenVault.address)).toBeGreaterThanOrEqual(
        vault.tokenAvailable + vault.availableCrankFunds,
      );
    }
  });

  it('rounds shares down and takes only what they cost', () => {
    // Assets 2000, 400 shares of 5 each: 1003 buy 200, which cost 1000; 1 more is crank funds.
    const bench = small(400n, { crankFundFeePerReserve: 1n });
    expect(bench.run([depositCall(bench, 1_004n)]).failure).toBeNull();
    expect(bench.balance(bench.shareAccount)).toBe(200n);
    expect(bench.balance(bench.tokenAccount)).toBe(100_000n - 1_001n);
    expect(bench.state()).toMatchObject({
      tokenAvailable: 1_500n,
      availableCrankFunds: 1n,
      sharesIssued: 600n,
      prevAumSf: 3_000n * FRACTION_ONE,
    });
  });

  it('rounds the cost of shares up', () => {
    // 1600 shares of 1.25 each: 1003 buy 802, which cost 1002.5.
    const bench = small(1_600n);
    expect(bench.run([buyCall(bench, 1_003n)]).failure).toBeNull();
    expect(bench.balance(bench.shareAccount)).toBe(802n);
    expect(bench.balance(bench.tokenAccount)).toBe(100_000n - 1_003n);
  });

  it('mints one share per base unit into an empty vault', () => {
    const bench = new VaultBench('Pilot USDC');
    bench.shrink({ idle: 0n, sharesIssued: 0n, reserves: [], change: { lastFeeChargeTimestamp: 0n } });
    bench.fund(5_000n);
    expect(bench.run([depositCall(bench, 1_234n)]).failure).toBeNull();
    expect(bench.balance(bench.shareAccount)).toBe(1_234n);
    expect(bench.state().lastFeeChargeTimestamp).toBe(bench.clock.unixTimestamp);
  });

  it('charges fees first: management by time, performance on earnings', () => {
    const zero = { cumulativeEarnedInterestSf: 0n, cumulativeMgmtFeesSf: 0n, cumulativePerfFeesSf: 0n };
    const bench = small(2_000n, { managementFeeBps: 100n, performanceFeeBps: 1_000n, ...zero });
    // One fee year; 1900 have become 2000.
    const year = 31_556_926n;
    bench.changeVault({
      lastFeeChargeTimestamp: bench.clock.unixTimestamp - year,
      prevAumSf: 1_900n * FRACTION_ONE,
    });
    expect(bench.run([depositCall(bench, 1_000n)]).failure).toBeNull();
    // 1 % of 1900 and 10 % of 100; both rates are rounded down to 2^-60.
    const managementSf = 1_900n * (FRACTION_ONE / 100n);
    const performanceSf = 100n * (FRACTION_ONE / 10n);
    expect(bench.state()).toMatchObject({
      pendingFeesSf: managementSf + performanceSf,
      cumulativeEarnedInterestSf: 100n * FRACTION_ONE,
      cumulativeMgmtFeesSf: managementSf,
      cumulativePerfFeesSf: performanceSf,
    });
    // Shares are bought at the assets less fees, a little over 1971, rounded up to 1972.
    expect(bench.balance(bench.shareAccount)).toBe((2_000n * 1_000n) / 1_972n);
  });

  it('turns rewards into idle tokens before it values shares', () => {
    const rewardInfo = { rewardPerSecond: 3n, rewardsAvailable: 1_000n };
    const bench = small(2_000n);
    const { unixTimestamp } = bench.clock;
    bench.changeVault({ rewardInfo: { ...rewardInfo, lastIssuanceTs: unixTimestamp - 100n } });
    expect(bench.run([depositCall(bench, 2_300n)]).failure).toBeNull();
    expect(bench.balance(bench.shareAccount)).toBe(2_000n);
    const { rewardInfo: after, tokenAvailable } = bench.state();
    expect([after.rewardsAvailable, after.cumulativeRewardsDistributedAnalytics]).toEqual([700n, 300n]);
    expect(after.lastIssuanceTs).toBe(unixTimestamp);
    expect(tokenAvailable).toBe(500n + 300n + 2_300n);
  });

  it('calls programs and records events in the order of the program', () => {
    const bench = small(400n);
    const { inner, unitsConsumed } = bench.run([depositCall(bench, 1_003n)]);
    const calls = (inner[0] ?? []).filter(({ stackHeight }) => stackHeight === 2);
    expect(calls.map(({ instruction }) => Buffer.from(instruction.data).toString('hex'))).toEqual([
      '906e1a67a2ccfc9301',
      `e445a52e51cb9a1dcac7acd424ae7a0e${'a086010000000000'}`,
      `e445a52e51cb9a1d7b40dc0458677fcc${'c800000000000000'}${'e803000000000000'}${'0000000000000000'}`,
      `0c${'e803000000000000'}06`,
      `07${'c800000000000000'}`,
    ]);
    const [, balance, result] = calls.map(({ instruction }) => instruction);
    if (balance === undefined || result === undefined) throw new Error('no events');
    expect(depositUserAtaBalanceEvent.decode(balance).args.userAtaBalance).toBe(100_000n);
    expect(depositResultEvent.decode(result).args).toMatchObject({
      sharesToMint: 200n,
      tokenToDeposit: 1_000n,
      crankFundsToDeposit: 0n,
    });
    expect(unitsConsumed).toBeGreaterThan(50_000);
  });

  it('is read back from its inner instructions', () => {
    const bench = small(400n);
    const instructions = [depositCall(bench, 1_003n)];
    const transaction = ranTransaction(instructions, bench.run(instructions));
    const { vaultEvents, problems } = read(transaction, LOOKUPS);
    expect(problems).toEqual([]);
    expect(vaultEvents).toMatchObject([
      { kind: 'deposit', vault: bench.vault.address, wallet: bench.wallet, tokens: 1_000n, shares: 200n },
    ]);
  });
});
