import { reserveWhitelistEntry } from '@sluice/protocol/kvault/addresses';
import { reserveWhitelistEntryAccount } from '@sluice/protocol/kvault/reserve-whitelist-entry';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import { describe, expect, it } from 'vitest';
import { LOOKUPS, named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { ranTransaction } from '../support/localnet/ran-transaction.ts';
import { VaultBench } from '../support/localnet/vault-bench.ts';
import { investCall, redeemInKindCall } from '../support/localnet/vault-calls.ts';

const { kvault } = MAINNET_PROGRAMS;
const read = createTransactionReader(MAINNET_PROGRAMS);
const MAX_CAP = (1n << 64n) - 1n;

interface Given {
  readonly idle: bigint;
  readonly owned: readonly [bigint, bigint];
  readonly weights: readonly [bigint, bigint];
  readonly caps?: readonly [bigint, bigint];
  readonly crankFunds?: bigint;
  readonly change?: object;
}

/** Two reserves whose collateral tokens are worth 1.5 base units. */
function vaultOf({
  idle,
  owned,
  weights,
  caps = [MAX_CAP, MAX_CAP],
  crankFunds = 0n,
  change,
}: Given): VaultBench {
  const bench = new VaultBench('Anchor USDC Conservative');
  bench.shrink({
    idle,
    sharesIssued: 1_000n,
    reserves: owned.map((each) => ({ available: 30_000n, minted: 20_000n, owned: each })),
    change: { availableCrankFunds: crankFunds, ...change },
  });
  bench.changeVault({
    vaultAllocationStrategy: weights.map((targetAllocationWeight, index) => ({
      targetAllocationWeight,
      tokenAllocationCap: caps[index],
    })),
  });
  bench.setBalance(bench.vault.tokenVault.address, idle + crankFunds);
  bench.fund(10n);
  return bench;
}

const reasonOf = (bench: VaultBench, call = investCall(bench)) => bench.run([call]).failure?.reason;
const allocation = (bench: VaultBench, index: number) => bench.state().vaultAllocationStrategy[index];

describe('an investment', () => {
  it('moves idle tokens into a reserve, up to its target', () => {
    // 3000 in all, of which a third belongs into the first reserve: 666 collateral tokens cost 999.
    const bench = vaultOf({ idle: 3_000n, owned: [0n, 0n], weights: [1n, 2n] });
    expect(reasonOf(bench)).toBeUndefined();
    expect(allocation(bench, 0)).toMatchObject({
      ctokenAllocation: 666n,
      tokenTargetAllocationSf: 1_000n * FRACTION_ONE,
      lastInvestSlot: bench.clock.slot,
    });
    expect(allocation(bench, 1)?.tokenTargetAllocationSf).toBe(2_000n * FRACTION_ONE);
    expect(bench.state().tokenAvailable).toBe(2_001n);
    expect(bench.balance(bench.vault.tokenVault.address)).toBe(2_001n);
    expect(bench.balance(bench.tokenAccount)).toBe(10n);
  });

  it('lets the payer replace what rounding costs, unless there are crank funds', () => {
    // 1001 of 2002: 667 collateral tokens are worth 1000.5 and cost 1001; the half is lost.
    const paid = vaultOf({ idle: 2_002n, owned: [0n, 0n], weights: [1n, 1n] });
    expect(reasonOf(paid)).toBeUndefined();
    expect(allocation(paid, 0)?.ctokenAllocation).toBe(667n);
    expect(paid.state().tokenAvailable).toBe(2_002n - 1_000n);
    expect(paid.balance(paid.vault.tokenVault.address)).toBe(2_002n - 1_000n);
    expect(paid.balance(paid.tokenAccount)).toBe(9n);
    const funded = vaultOf({ idle: 2_002n, owned: [0n, 0n], weights: [1n, 1n], crankFunds: 5n });
    expect(reasonOf(funded)).toBeUndefined();
    expect(funded.state()).toMatchObject({ tokenAvailable: 2_002n - 1_000n, availableCrankFunds: 4n });
    expect(funded.balance(funded.vault.tokenVault.address)).toBe(2_002n - 1_000n + 4n);
    expect(funded.balance(funded.tokenAccount)).toBe(10n);
  });

  it('moves tokens back out of a reserve above its target, all of them without a weight', () => {
    const half = vaultOf({ idle: 0n, owned: [2_000n, 0n], weights: [1n, 1n] });
    expect(reasonOf(half)).toBeUndefined();
    expect(allocation(half, 0)?.ctokenAllocation).toBe(1_000n);
    expect(half.state().tokenAvailable).toBe(1_500n);
    const all = vaultOf({ idle: 0n, owned: [2_001n, 0n], weights: [0n, 1n] });
    expect(reasonOf(all)).toBeUndefined();
    expect(allocation(all, 0)?.ctokenAllocation).toBe(0n);
    // Worth 3001.5, of which the reserve pays 3001 and the payer one.
    expect(all.state().tokenAvailable).toBe(3_002n);
    expect(all.balance(all.vault.tokenVault.address)).toBe(3_002n);
    expect(all.balance(all.tokenAccount)).toBe(9n);
  });

  it('gives what exceeds a cap to the other reserves, and leaves the unallocated part idle', () => {
    const change = { unallocatedWeight: 2n, unallocatedTokensCap: 700n };
    const bench = vaultOf({
      idle: 3_000n,
      owned: [0n, 0n],
      weights: [1n, 1n],
      caps: [500n, MAX_CAP],
      change,
    });
    expect(reasonOf(bench, investCall(bench, 1))).toBeUndefined();
    // 700 stay idle by their cap; of 2300 the first reserve takes 500 and the second the rest.
    expect(allocation(bench, 0)?.tokenTargetAllocationSf).toBe(500n * FRACTION_ONE);
    expect(allocation(bench, 1)).toMatchObject({
      tokenTargetAllocationSf: 1_800n * FRACTION_ONE,
      ctokenAllocation: 1_200n,
    });
    expect(bench.state().tokenAvailable).toBe(1_200n);
  });

  it('is read back from its inner instructions', () => {
    const bench = vaultOf({ idle: 3_000n, owned: [0n, 0n], weights: [1n, 2n] });
    const instructions = [investCall(bench)];
    const { vaultEvents, problems } = read(ranTransaction(instructions, bench.run(instructions)), LOOKUPS);
    expect(problems).toEqual([]);
    expect(vaultEvents).toMatchObject([
      { kind: 'invest', tokens: 999n, reserve: bench.reserveAddress(0), reserveTokens: 999n },
    ]);
  });

  it('is refused when it is too small, too soon or not in the allocations', () => {
    const given: Given = { idle: 3_000n, owned: [0n, 0n], weights: [1n, 2n] };
    const small = vaultOf({ ...given, change: { minInvestAmount: 1_000n } });
    expect(reasonOf(small)).toEqual({ Custom: 7013 });
    const soon = vaultOf({ ...given, change: { minInvestDelaySlots: 150n } });
    soon.changeVault({ vaultAllocationStrategy: [{ lastInvestSlot: soon.clock.slot - 149n }] });
    expect(reasonOf(soon)).toEqual({ Custom: 7045 });
    soon.changeVault({ vaultAllocationStrategy: [{ lastInvestSlot: soon.clock.slot - 150n }] });
    expect(reasonOf(soon)).toBeUndefined();
    const other = vaultOf(given);
    expect(
      reasonOf(other, investCall(other, 0, { payerTokenAccount: other.vault.tokenVault.address })),
    ).toEqual({
      Custom: 2015,
    });
    expect(reasonOf(other, investCall(other, 0, { reserve: other.reserveAddress(1) }))).toEqual({
      Custom: 2006,
    });
  });

  it('needs a whitelisted reserve where the vault says so, but only to invest', () => {
    const change = { allowInvestInWhitelistedReservesOnly: 1 };
    const into = vaultOf({ idle: 3_000n, owned: [0n, 0n], weights: [1n, 2n], change });
    expect(reasonOf(into)).toEqual({ Custom: 7054 });
    const entry = reserveWhitelistEntry(kvault, into.reserveAddress(0)).address;
    const put = (whitelistInvest: number) =>
      into.set(entry, {
        owner: kvault,
        lamports: 1n,
        executable: false,
        data: reserveWhitelistEntryAccount.encode({ reserve: into.reserveAddress(0), whitelistInvest }),
      });
    put(0);
    expect(reasonOf(into, investCall(into, 0, { reserveWhitelistEntry: entry }))).toEqual({ Custom: 7054 });
    put(1);
    const elsewhere = named('entry');
    into.set(elsewhere, into.account(entry));
    expect(reasonOf(into, investCall(into, 0, { reserveWhitelistEntry: elsewhere }))).toEqual({
      Custom: 2006,
    });
    expect(reasonOf(into, investCall(into, 0, { reserveWhitelistEntry: entry }))).toBeUndefined();
    const out = vaultOf({ idle: 0n, owned: [2_000n, 0n], weights: [1n, 1n], change });
    expect(reasonOf(out)).toBeUndefined();
  });
});

describe('a redemption in kind', () => {
  function bench(change = {}): VaultBench {
    const made = vaultOf({ idle: 0n, owned: [2_000n, 0n], weights: [1n, 1n], change });
    // 3000 base units for 1000 shares.
    made.fund(0n, 400n);
    const mint = made.modelOf(made.reserveAddress(0)).collateralMint.address;
    const account = associatedTokenAddress(made.wallet, TOKEN_PROGRAM, mint).address;
    made.openAccount(account, mint, made.wallet, 0n);
    return made;
  }
  const ctokens = (on: VaultBench) => {
    const mint = on.modelOf(on.reserveAddress(0)).collateralMint.address;
    return on.balance(associatedTokenAddress(on.wallet, TOKEN_PROGRAM, mint).address);
  };

  it('pays collateral tokens for shares', () => {
    const on = bench();
    // 101 shares are worth 303, or 202 collateral tokens.
    expect(reasonOf(on, redeemInKindCall(on, 101n))).toBeUndefined();
    expect(ctokens(on)).toBe(202n);
    expect(on.balance(on.shareAccount)).toBe(299n);
    expect(allocation(on, 0)?.ctokenAllocation).toBe(1_798n);
    expect(on.state()).toMatchObject({ sharesIssued: 899n, prevAumSf: 2_697n * FRACTION_ONE });
  });

  it('charges the penalty', () => {
    const on = bench({ withdrawalPenaltyLamports: 30n });
    // 300 less 30 are 180 collateral tokens; all 100 shares are burned.
    expect(reasonOf(on, redeemInKindCall(on, 100n))).toBeUndefined();
    expect(ctokens(on)).toBe(180n);
    expect(on.balance(on.shareAccount)).toBe(300n);
    expect(on.state().prevAumSf).toBe(2_730n * FRACTION_ONE);
  });

  it('is refused for its amounts and accounts', () => {
    expect(reasonOf(bench(), redeemInKindCall(bench(), 0n))).toEqual({ Custom: 7040 });
    expect(reasonOf(bench({ minWithdrawAmount: 300n }), redeemInKindCall(bench(), 100n))).toEqual({
      Custom: 7004,
    });
    expect(reasonOf(bench({ withdrawalPenaltyLamports: 300n }), redeemInKindCall(bench(), 100n))).toEqual({
      Custom: 7049,
    });
    const on = bench();
    expect(reasonOf(on, redeemInKindCall(on, 100n, 0, { ctokenMint: on.vault.sharesMint.address }))).toEqual({
      Custom: 2014,
    });
    expect(reasonOf(on, redeemInKindCall(on, 100n, 0, { sharesMint: on.vault.token.mint.address }))).toEqual({
      Custom: 2001,
    });
  });
});
