import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { DEVNET_PROGRAMS, MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { buildVaultEntry, buildVaultExit } from '../../src/builders/vault/action.ts';
import type { VaultDepositOptions } from '../../src/builders/vault/min-shares.ts';
import { vaultOutcome } from '../../src/builders/vault/preview.ts';
import { VaultBench } from '../support/localnet/vault-bench.ts';
import {
  depositCall,
  investCall,
  withdrawCall,
  withdrawFromAvailableCall,
} from '../support/localnet/vault-calls.ts';

const { kvault } = MAINNET_PROGRAMS;
const AUTHORITY = named('permissioning authority');

/** Assets of 2000 in 1600 shares of 1.25; collateral tokens are worth 1.5. */
function benchOf(change = {}): VaultBench {
  const bench = new VaultBench('Pilot USDC');
  const reserves = [{ available: 3_000n, minted: 2_000n, owned: 1_000n }];
  bench.shrink({ idle: 500n, sharesIssued: 1_600n, reserves, change });
  bench.fund(100_000n, 800n);
  return bench;
}

const reasonOf = (bench: VaultBench, call: EncodedInstruction) => {
  const reason = bench.run([call]).failure?.reason;
  return typeof reason === 'object' ? reason.Custom : reason;
};

/** A discriminator and arguments of 64 bits. */
function dataOf(discriminator: string, ...args: readonly bigint[]): Uint8Array {
  const data = Buffer.alloc(8 + 8 * args.length);
  data.write(discriminator, 'hex');
  for (const [index, each] of args.entries()) data.writeBigUInt64LE(each, 8 + 8 * index);
  return data;
}

const units = (amount: bigint) => ({ baseUnits: amount });
const DEPOSITS = /^Deposit up to/;
const WITHDRAWALS = /^Withdraw /;

/** Builds a deposit and runs it. */
function deposited(bench: VaultBench, amount: bigint, options: VaultDepositOptions = {}) {
  const accounts = bench.accounts();
  const build = buildVaultEntry(accounts, units(amount), bench.moment, options);
  const promised = vaultOutcome(accounts, 'deposit', build.action, bench.moment);
  const before = [bench.balance(bench.tokenAccount), bench.balance(bench.shareAccount)] as const;
  const calls = build.action.instructions.filter(({ summary }) => DEPOSITS.test(summary));
  const reason = bench.run(calls).failure?.reason ?? null;
  return {
    reason,
    names: calls.map(({ name }) => name),
    signers: calls.flatMap(({ accounts: metas }) =>
      metas.filter(({ role }) => role >= AccountRole.READONLY_SIGNER).map(({ address }) => address),
    ),
    codes: build.preview().warnings.map(({ code }) => code),
    messages: build.preview().warnings.map(({ message }) => message),
    promised: [promised.tokens, promised.shares],
    moved: [before[0] - bench.balance(bench.tokenAccount), bench.balance(bench.shareAccount) - before[1]],
    minShares: build.action.minShares,
    data: calls.map(({ data }) => data),
  };
}

describe('a deposit into a capped vault', () => {
  it('ends as its preview says when it is cut', () => {
    const bench = benchOf({ depositCap: 2_250n, crankFundFeePerReserve: 3n });
    const cut = deposited(bench, 1_000n);
    // Room for 250 buys 200 shares; the crank fee is paid besides.
    expect(cut).toMatchObject({ reason: null, promised: [253n, 200n], moved: [253n, 200n] });
    expect(cut.codes).toContain('CUT_BY_DEPOSIT_CAP');
    expect(cut.messages.join()).toContain('deposit cap of 0.00225 ');
    expect(cut.messages.join()).toContain('room for 0.00025 ');
    // Now it is full.
    const full = deposited(bench, 1_000n);
    expect(full).toMatchObject({ reason: { Custom: 7062 }, promised: [0n, 0n], moved: [0n, 0n] });
    expect(full.codes).toContain('DEPOSIT_CAP_REACHED');
    expect(full.messages.join()).toContain('VaultDepositCapReached');
  });

  it('needs only what the vault takes', () => {
    const bench = benchOf({ depositCap: 2_250n });
    bench.fund(250n);
    const cut = deposited(bench, 1_000n);
    expect(cut).toMatchObject({ reason: null, moved: [250n, 200n] });
    expect(cut.codes).not.toContain('BALANCE_TOO_LOW');
  });

  it('is refused with the number of the program', () => {
    const refusal = (change: object, amount: bigint) => {
      const { reason, codes, promised } = deposited(benchOf(change), amount);
      expect(promised).toEqual([0n, 0n]);
      return [reason, codes.filter((code) => /CAP|MINIMUM/.test(code))];
    };
    expect(refusal({ depositCap: 2_250n, minDepositAmount: 251n }, 1_000n)).toEqual([
      { Custom: 7062 },
      ['DEPOSIT_CAP_REACHED'],
    ]);
    expect(refusal({ depositCap: 2_250n, minDepositAmount: 201n }, 200n)).toEqual([
      { Custom: 7026 },
      ['AMOUNT_BELOW_MINIMUM'],
    ]);
    expect(refusal({ depositCap: 2_001n }, 200n)).toEqual([{ Custom: 7038 }, ['DEPOSIT_CAP_REACHED']]);
    expect(refusal({ depositCap: 1n }, 200n)).toEqual([{ Custom: 7062 }, ['DEPOSIT_CAP_REACHED']]);
  });
});

describe('a deposit with a minimum of shares', () => {
  it('takes an exact minimum or a slippage', () => {
    const exact = deposited(benchOf(), 1_000n, { minShares: { shares: Rational.of(800n, 1_000_000n) } });
    expect(exact).toMatchObject({
      reason: null,
      names: ['depositWithMinSharesOut'],
      minShares: 800n,
      moved: [1_000n, 800n],
      data: [new Uint8Array(dataOf('4a7f805004ddc15b', 1_000n, 800n))],
    });
    // 800 less 0.3 % are 797.6.
    const slipping = deposited(benchOf(), 1_000n, { minShares: { slippageBps: 30 } });
    expect(slipping).toMatchObject({ reason: null, minShares: 797n, moved: [1_000n, 800n] });
    expect(deposited(benchOf(), 1_000n).names).toEqual(['deposit']);
  });

  it('is refused for one share less', () => {
    const refused = deposited(benchOf(), 1_000n, { minShares: { shares: Rational.of(801n, 1_000_000n) } });
    expect(refused).toMatchObject({ reason: { Custom: 7064 }, promised: [0n, 0n], moved: [0n, 0n] });
    expect(refused.codes).toContain('RECEIVED_TOO_LITTLE');
    const bench = benchOf();
    const { accounts } = depositCall(bench, 0n);
    const buy = dataOf('3d8766977c2e90d1', 1_000n, 801n);
    expect(reasonOf(bench, { programAddress: kvault, accounts, data: buy })).toBe(7064);
  });

  it('is not built for a program without it, nor with a slippage out of range', () => {
    const build = (minShares: NonNullable<VaultDepositOptions['minShares']>, programs = MAINNET_PROGRAMS) => {
      const accounts = benchOf().accounts();
      const request = { ...accounts.request, programs };
      return buildVaultEntry({ ...accounts, request }, units(1_000n), benchOf().moment, { minShares });
    };
    expect(() => build({ slippageBps: 1 }, DEVNET_PROGRAMS)).toThrow(/cannot enforce a minimum of shares/);
    expect(() => build({ slippageBps: 10_001 })).toThrow(/from 0 to 10000/);
    expect(build({ slippageBps: 10_000 }).action.minShares).toBe(0n);
  });
});

describe('a permissioned vault', () => {
  const PERMISSIONED = { permissioningAuthority: AUTHORITY };
  const withSigner = (
    call: EncodedInstruction,
    address: Address,
    role: AccountRole = AccountRole.READONLY_SIGNER,
  ) => ({ ...call, accounts: [...call.accounts, { address, role }] });

  it('names its authority as the last account and another signer', () => {
    const bench = benchOf(PERMISSIONED);
    const entry = deposited(bench, 1_000n);
    expect(entry).toMatchObject({
      reason: null,
      promised: [1_000n, 800n],
      moved: [1_000n, 800n],
      signers: [bench.wallet, AUTHORITY],
    });
    expect(entry.codes).toContain('NEEDS_PERMISSION');
    expect(entry.messages.join()).toContain(AUTHORITY);
    for (const shares of [100n, 1_200n]) {
      const accounts = { ...bench.accounts(), farm: null };
      const exit = buildVaultExit(accounts, { shares: Rational.of(shares, 1_000_000n) }, bench.moment);
      const promised = vaultOutcome(accounts, 'withdraw', exit.action, bench.moment);
      const before = bench.balance(bench.tokenAccount);
      const calls = exit.action.instructions.filter(({ summary }) => WITHDRAWALS.test(summary));
      expect(calls.map(({ accounts: metas }) => metas.at(-1)?.address)).toEqual(calls.map(() => AUTHORITY));
      expect(bench.run(calls).failure).toBeNull();
      expect(bench.balance(bench.tokenAccount) - before).toBe(promised.tokens);
      expect(exit.preview().warnings.map(({ code }) => code)).toContain('NEEDS_PERMISSION');
    }
  });

  it('refuses another key or none with 7065, and a missing signature with 3010', () => {
    const calls = [
      (on: VaultBench) => depositCall(on, 1_000n),
      (on: VaultBench) => withdrawFromAvailableCall(on, 100n),
      (on: VaultBench) => withdrawCall(on, 600n),
    ];
    for (const call of calls) {
      const bench = benchOf(PERMISSIONED);
      expect(reasonOf(bench, call(bench))).toBe(7065);
      expect(reasonOf(bench, withSigner(call(bench), bench.wallet))).toBe(7065);
      expect(reasonOf(bench, withSigner(call(bench), AUTHORITY, AccountRole.READONLY))).toBe(3010);
      expect(reasonOf(bench, withSigner(call(bench), AUTHORITY))).toBeUndefined();
    }
    // The amount is checked first.
    const bench = benchOf(PERMISSIONED);
    expect(reasonOf(bench, depositCall(bench, 0n))).toBe(7000);
    const open = benchOf();
    expect(reasonOf(open, depositCall(open, 1_000n))).toBeUndefined();
  });

  it('asks for no second signature of the wallet itself', () => {
    const bench = benchOf();
    bench.changeVault({ permissioningAuthority: bench.wallet });
    const { reason, codes } = deposited(bench, 1_000n);
    expect([reason, codes.includes('NEEDS_PERMISSION')]).toEqual([null, false]);
  });
});

describe('an investment', () => {
  const limited = (bench: VaultBench, maxAmount: bigint): EncodedInstruction => ({
    ...investCall(bench),
    data: dataOf('875cb88945487607', maxAmount),
  });
  /** All idle: 3000 that belong into one reserve. */
  const idle = (change = {}) => {
    const bench = new VaultBench('Pilot USDC');
    const reserves = [{ available: 3_000n, minted: 2_000n, owned: 0n }];
    bench.shrink({ idle: 3_000n, sharesIssued: 1_000n, reserves, change });
    const [first, ...others] = bench.vault.allocations;
    bench.changeVault({
      vaultAllocationStrategy: [first, ...others].map((_, index) => ({
        targetAllocationWeight: index === 0 ? 1n : 0n,
        tokenAllocationCap: 1_000_000n,
      })),
    });
    bench.fund(10n);
    return bench;
  };
  const invested = (bench: VaultBench) => bench.state().vaultAllocationStrategy[0];

  it('stops at the cap in collateral tokens', () => {
    const bench = idle();
    bench.changeVault({ vaultAllocationStrategy: [{ ctokenAllocationCap: 700n }] });
    expect(reasonOf(bench, investCall(bench))).toBeUndefined();
    expect(invested(bench)).toMatchObject({
      ctokenAllocation: 700n,
      tokenTargetAllocationSf: 1_050n * FRACTION_ONE,
    });
  });

  it('moves no more than its limit, and leaves the delay and the crank funds alone', () => {
    const bench = idle({ availableCrankFunds: 5n });
    bench.setBalance(bench.vault.tokenVault.address, 3_005n);
    expect(reasonOf(bench, limited(bench, 0n))).toBe(7063);
    // 1001 buy 667 collateral tokens of 1.5, which cost 1001; the payer replaces the lost half.
    expect(reasonOf(bench, limited(bench, 1_001n))).toBeUndefined();
    expect(invested(bench)).toMatchObject({ ctokenAllocation: 667n, lastInvestSlot: 0n });
    expect(bench.state().availableCrankFunds).toBe(5n);
    expect(bench.balance(bench.tokenAccount)).toBe(9n);
    expect(reasonOf(bench, limited(bench, 100_000n))).toBeUndefined();
    expect(invested(bench)?.lastInvestSlot).toBe(bench.clock.slot);
  });

  it('leaves a reserve without weight below the minimum', () => {
    const bench = benchOf({ minInvestAmount: 10_000n });
    bench.changeVault({ vaultAllocationStrategy: [{ targetAllocationWeight: 0n }] });
    expect(reasonOf(bench, limited(bench, 100n))).toBe(7013);
    expect(reasonOf(bench, investCall(bench))).toBeUndefined();
    expect(invested(bench)?.ctokenAllocation).toBe(0n);
  });
});

describe('an exit asked in tokens', () => {
  /** The amount that arrives, and the warnings about it. */
  const exited = (input: { tokens: Rational } | { all: true }, held: bigint) => {
    const bench = new VaultBench('Pilot USDC');
    const reserves = [{ available: 3_000n, minted: 2_000n, owned: 1_000n }];
    bench.shrink({ idle: 0n, sharesIssued: 1_500n, reserves });
    bench.fund(0n, held);
    const exit = buildVaultExit({ ...bench.accounts(), farm: null }, input, bench.moment);
    const calls = exit.action.instructions.filter(({ summary }) => WITHDRAWALS.test(summary));
    expect(bench.run(calls).failure).toBeNull();
    const warnings = exit.preview().warnings.filter(({ code }) => code === 'ROUNDED_PAYOUT');
    return [bench.balance(bench.tokenAccount), warnings.map(({ message }) => message.split(':')[0])];
  };
  const tokens = (amount: bigint) => ({ tokens: Rational.of(amount, 1_000_000n) });

  it('pays it in spite of rounding, or says what it pays', () => {
    // 100 cost 67 collateral tokens of 1.5, worth 100.5: the program sends 99. 101 cost 68, worth 102: it sends 101.
    expect(exited(tokens(100n), 1_000n)).toEqual([101n, []]);
    expect(exited(tokens(101n), 1_000n)).toEqual([101n, []]);
    const less = [99n, [expect.stringMatching(/^The withdrawal pays exactly 0\.000099 /)]];
    expect(exited(tokens(100n), 100n)).toEqual(less);
    expect(exited({ all: true }, 100n)).toEqual(less);
    expect(exited({ all: true }, 101n)).toEqual([101n, []]);
  });
});
