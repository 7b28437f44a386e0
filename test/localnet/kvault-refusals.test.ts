import { reserve } from '@sluice/protocol/klend/reserve';
import { ctokenVault, vaultGlobalConfigAddress } from '@sluice/protocol/kvault/addresses';
import { depositResultEvent } from '@sluice/protocol/kvault/events';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import {
  CLOCK_SYSVAR,
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { VaultBench } from '../support/localnet/vault-bench.ts';
import { depositCall, withdrawCall, withdrawFromAvailableCall } from '../support/localnet/vault-calls.ts';

const { kvault } = MAINNET_PROGRAMS;

/** Two reserves, idle tokens, and a wallet with tokens and shares. A share is worth a base unit. */
function bench(change = {}): VaultBench {
  const made = new VaultBench('Anchor USDC Conservative');
  const one = { available: 10_000n, minted: 10_000n, owned: 4_000n };
  made.shrink({ idle: 2_000n, sharesIssued: 10_000n, reserves: [one, one], change });
  made.fund(50_000n, 6_000n);
  return made;
}

type Call = (on: VaultBench) => EncodedInstruction;

function reasonOf(on: VaultBench, instruction: EncodedInstruction): unknown {
  const { failure } = on.run([instruction]);
  const reason = failure?.reason;
  return typeof reason === 'object' ? reason.Custom : reason;
}

/** An account of the instruction with another role. */
function withRole(instruction: EncodedInstruction, address: Address, role: AccountRole): EncodedInstruction {
  const accounts = instruction.accounts.map((meta) => (meta.address === address ? { address, role } : meta));
  return { ...instruction, accounts };
}

const metas = (on: VaultBench, indices: readonly number[], role = AccountRole.WRITABLE) => {
  const reserves = indices.map((index) => on.modelOf(on.reserveAddress(index)));
  return [
    ...reserves.map(({ address }) => ({ address, role })),
    ...reserves.map(({ market }) => ({ address: market.address, role: AccountRole.READONLY })),
  ];
};

const deposit =
  (replaced: (on: VaultBench) => Readonly<Record<string, Address>>): Call =>
  (on) =>
    depositCall(on, 1_000n, replaced(on));
const withdrawal =
  (replaced: (on: VaultBench) => Readonly<Record<string, Address>>): Call =>
  (on) =>
    withdrawCall(on, 3_000n, 0, replaced(on));

/** An SPL token account of the wallet for a mint, or of somebody else. */
function account(on: VaultBench, mint: Address, owner: Address = on.wallet): Address {
  const address = named(`account of ${mint} ${owner}`);
  on.openAccount(address, mint, owner, 100_000n);
  return address;
}

describe('a vault action is refused', () => {
  it.each<[string, number | string, Call]>([
    [
      'of another user account that did not sign',
      3010,
      (on) => withRole(depositCall(on, 1_000n), on.wallet, AccountRole.WRITABLE),
    ],
    [
      'with a read-only vault',
      2000,
      (on) => withRole(depositCall(on, 1_000n), on.vault.address, AccountRole.READONLY),
    ],
    ['for a vault of another program', 3007, deposit((on) => ({ vaultState: on.reserveAddress(0) }))],
    [
      'for an account that is no vault',
      3002,
      deposit(() => ({ vaultState: vaultGlobalConfigAddress(kvault).address })),
    ],
    [
      'with another token vault',
      2001,
      deposit((on) => ({ tokenVault: account(on, on.vault.token.mint.address) })),
    ],
    ['with another mint', 2001, deposit((on) => ({ tokenMint: on.vault.sharesMint.address }))],
    ['with another share mint', 2001, deposit((on) => ({ sharesMint: on.vault.token.mint.address }))],
    ['with another authority', 2001, deposit((on) => ({ baseVaultAuthority: on.wallet }))],
    ['with the other token program', 2001, deposit(() => ({ tokenProgram: TOKEN_2022_PROGRAM }))],
    ['with a token program that is none', 3008, deposit(() => ({ tokenProgram: SYSTEM_PROGRAM }))],
    [
      'with shares of the other token program',
      3008,
      deposit(() => ({ sharesTokenProgram: TOKEN_2022_PROGRAM })),
    ],
    ['with another lending program', 3008, deposit(() => ({ klendProgram: TOKEN_PROGRAM }))],
    ['with another event authority', 2006, deposit((on) => ({ eventAuthority: on.wallet }))],
    [
      'from an account of another mint',
      2014,
      deposit((on) => ({ userTokenAta: account(on, on.vault.sharesMint.address) })),
    ],
    [
      "from somebody else's account",
      2015,
      deposit((on) => ({ userTokenAta: account(on, on.vault.token.mint.address, named('other')) })),
    ],
    [
      "to somebody else's shares",
      2015,
      deposit((on) => ({ userSharesAta: account(on, on.vault.sharesMint.address, named('other')) })),
    ],
    ['to an account that does not exist', 3012, deposit(() => ({ userSharesAta: named('nothing') }))],
    ['with an account that holds no tokens', 3007, deposit((on) => ({ userTokenAta: on.vault.address }))],
    [
      'with too few accounts',
      3005,
      (on) => ({ ...depositCall(on, 1n), accounts: depositCall(on, 1n).accounts.slice(0, 5) }),
    ],
    [
      'without an argument',
      102,
      (on) => ({ ...depositCall(on, 1n), data: depositCall(on, 1n).data.slice(0, 8) }),
    ],
    ['for an unknown instruction', 101, (on) => ({ ...depositCall(on, 1n), data: new Uint8Array(16) })],
  ])('%s (deposit, %s)', (_, code, call) => {
    const on = bench();
    expect(reasonOf(on, call(on))).toBe(code);
  });

  it.each<[string, number | string, Call]>([
    ['with another global config', 3002, withdrawal((on) => ({ globalConfig: on.vault.address }))],
    [
      'with another token vault',
      2001,
      withdrawal((on) => ({ tokenVault: account(on, on.vault.token.mint.address) })),
    ],
    ['with another lending program', 3008, withdrawal(() => ({ klendProgram: TOKEN_PROGRAM }))],
    [
      'to an account of another mint',
      2014,
      withdrawal((on) => ({ userTokenAta: account(on, on.vault.sharesMint.address) })),
    ],
    [
      "to somebody else's account",
      2015,
      withdrawal((on) => ({ userTokenAta: account(on, on.vault.token.mint.address, named('other')) })),
    ],
    [
      "of somebody else's shares",
      2015,
      withdrawal((on) => ({ userSharesAta: account(on, on.vault.sharesMint.address, named('other')) })),
    ],
    ['with another event authority', 2006, withdrawal((on) => ({ eventAuthority: on.wallet }))],
    ['with another outer event authority', 2006, withdrawal((on) => ({ outerEventAuthority: on.wallet }))],
    ['with a reserve of another program', 3007, withdrawal((on) => ({ reserve: on.vault.address }))],
    [
      'with the collateral of another reserve',
      2006,
      withdrawal((on) => ({
        ctokenVault: ctokenVault(kvault, on.vault.address, on.reserveAddress(1)).address,
      })),
    ],
    [
      'with another instructions sysvar',
      2012,
      withdrawal(() => ({ instructionSysvarAccount: CLOCK_SYSVAR })),
    ],
    [
      'with two vaults',
      2006,
      withdrawal(() => ({ reserveVaultState: new VaultBench('Pilot USDC').vault.address })),
    ],
    [
      'with another liquidity supply',
      2012,
      withdrawal((on) => ({ reserveLiquiditySupply: on.vault.tokenVault.address })),
    ],
  ])('%s (withdrawal, %s)', (_, code, call) => {
    const on = bench();
    expect(reasonOf(on, call(on))).toBe(code);
  });

  it('with a reserve that is not in its allocations (7007)', () => {
    const on = bench();
    const other = new VaultBench('Compass USDC Wide').vault.allocations
      .map(({ reserve: each }) => each)
      .find((each) => each.address !== on.reserveAddress(0) && each.address !== on.reserveAddress(1));
    if (other === undefined) throw new Error('no other reserve');
    const held = ctokenVault(kvault, on.vault.address, other.address).address;
    on.openAccount(held, other.collateralMint.address, on.vault.authority, 0n);
    expect(reasonOf(on, withdrawCall(on, 3_000n, 0, { reserve: other.address, ctokenVault: held }))).toBe(
      7007,
    );
  });

  it('with missing, swapped or wrong reserves', () => {
    const on = bench();
    const depositWith = (remaining: ReturnType<typeof metas>) =>
      reasonOf(on, depositCall(on, 1_000n, {}, remaining));
    expect(depositWith([])).toBe(7043);
    expect(depositWith(metas(on, [0]).slice(0, 1))).toBe(7043);
    expect(depositWith(metas(on, [1, 0]))).toBe(7010);
    expect(depositWith([{ address: on.vault.address, role: AccountRole.WRITABLE }, ...metas(on, [0])])).toBe(
      3007,
    );
    expect(depositWith(metas(on, [0, 1]).slice(0, 2))).toBe('MissingAccount');
    expect(depositWith(metas(on, [0, 1], AccountRole.READONLY))).toBe('PrivilegeEscalation');
  });

  it('for its amounts, when it deposits', () => {
    const depositOf = (amount: bigint, change = {}) => {
      const on = bench(change);
      return reasonOf(on, depositCall(on, amount));
    };
    expect(depositOf(0n)).toBe(7000);
    expect(depositOf(999n, { minDepositAmount: 1_000n })).toBe(7026);
    expect(depositOf(1_000n, { minDepositAmount: 1_000n })).toBeUndefined();
    expect(depositOf(9n, { sharesIssued: 1_000n })).toBe(7038);
    expect(depositOf(50_001n)).toBe(1);
    // Two reserves at 60 cost more than the amount: the subtraction overflows.
    expect(depositOf(100n, { crankFundFeePerReserve: 60n })).toBe('ProgramFailedToComplete');
    expect(depositOf(1_000n, { pendingFeesSf: 10_001n * FRACTION_ONE })).toBe(7037);
    expect(depositOf(1_000n, { pendingFeesSf: 10_000n * FRACTION_ONE, prevAumSf: 0n })).toBe(7042);
  });

  it('for its amounts, when it withdraws', () => {
    const withdrawalOf = (shares: bigint, change = {}) => {
      const on = bench(change);
      return reasonOf(on, withdrawFromAvailableCall(on, shares));
    };
    expect(withdrawalOf(0n)).toBe(7040);
    expect(withdrawalOf(1n, { sharesIssued: 20_000n })).toBe(7050);
    expect(withdrawalOf(50n, { withdrawalPenaltyLamports: 50n })).toBe(7049);
    expect(withdrawalOf(10n, { minWithdrawAmount: 10n })).toBe(7004);
    expect(withdrawalOf(11n, { minWithdrawAmount: 10n })).toBeUndefined();
    expect(withdrawalOf(100n, { pendingFeesSf: 10_000n * FRACTION_ONE, prevAumSf: 0n })).toBe(7042);
    expect(withdrawalOf(100n, { pendingFeesSf: 10_001n * FRACTION_ONE })).toBe(7037);
    expect(withdrawalOf(100n, { tokenAvailable: 0n })).toBe(7039);
  });

  it('when the wallet has no shares (7040)', () => {
    const on = bench();
    on.setBalance(on.shareAccount, 0n);
    expect(reasonOf(on, withdrawCall(on, 5n))).toBe(7040);
  });

  it("when the reserve has lent out the vault's tokens (6008 of the lending program)", () => {
    const on = bench();
    on.change(on.reserveAddress(0), reserve, {
      liquidity: { totalAvailableAmount: 500n, borrowedAmountSf: 9_500n * FRACTION_ONE },
    });
    on.setBalance(on.modelOf(on.reserveAddress(0)).liquidityVault.address, 500n);
    expect(reasonOf(on, withdrawCall(on, 3_000n))).toBe(6008);
  });

  it("when somebody else records the program's events", () => {
    const on = bench();
    const values = { sharesToMint: 1n, tokenToDeposit: 1n, crankFundsToDeposit: 0n };
    const event = (address: Address) =>
      depositResultEvent.encode(kvault, { eventAuthority: address }, values);
    expect(reasonOf(on, event(on.wallet))).toBe(2006);
    const authority = eventAuthority(kvault).address;
    expect(reasonOf(on, withRole(event(authority), authority, AccountRole.READONLY))).toBe(2002);
  });

  it('and then changes nothing', () => {
    const on = bench({ minWithdrawAmount: 1_000n });
    const before = [
      on.account(on.vault.address),
      on.account(on.reserveAddress(0)),
      on.account(on.shareAccount),
    ];
    const { failure, logs } = on.run([depositCall(on, 1_000n), withdrawFromAvailableCall(on, 900n)]);
    expect(failure).toEqual({ index: 1, reason: { Custom: 7004 } });
    expect(logs.join('\n')).toContain('Error Code: WithdrawAmountBelowMinimum. Error Number: 7004.');
    expect([
      on.account(on.vault.address),
      on.account(on.reserveAddress(0)),
      on.account(on.shareAccount),
    ]).toEqual(before);
  });
});
