import { decodeInstruction, findInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { AccountRole, type Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Build } from '../../src/builders/action.ts';
import type { AmountInput } from '../../src/builders/amount.ts';
import { type LendingAccounts, lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import {
  firstLendingReads,
  obligationReserves,
  secondLendingReads,
} from '../../src/builders/lending/request.ts';
import { planTransactions } from '../../src/builders/plan/plan.ts';
import type { ReadAccounts } from '../../src/builders/read-accounts.ts';
import { instructionBundle } from '../../src/builders/transaction/bundle.ts';
import { vaultAccounts } from '../../src/builders/vault/accounts.ts';
import { buildVaultEntry, buildVaultExit } from '../../src/builders/vault/action.ts';
import { firstVaultReads, secondVaultReads } from '../../src/builders/vault/request.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import {
  type LendingSetting,
  LIFETIME,
  lendingChain,
  lendingRequest,
  NOW,
  type ReserveSetting,
  reserveAddress,
  SLOT,
  WALLET,
} from '../support/builders/lending-accounts.ts';
import { type VaultSetting, vaultChain, vaultRequest } from '../support/builders/vault-accounts.ts';

/** Raise it for a long fuzz run; the default keeps the suite short. */
const RUNS = Number(process.env.BUILDER_FUZZ_RUNS ?? 100);
const RESERVES = 6;
const known = knownInstructions(MAINNET_PROGRAMS);

const u64 = fc.oneof(fc.bigInt(0n, U64_MAX), fc.bigInt(0n, 10n ** 13n), fc.bigInt(0n, 10n));
const whole = fc.nat(RESERVES - 1);

const reserveSetting: fc.Arbitrary<ReserveSetting> = fc.record({
  sol: fc.boolean(),
  decimals: fc.constantFrom(0, 6, 9),
  tokenProgram: fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
  farmCollateral: fc.boolean(),
  farmDebt: fc.boolean(),
  available: u64,
  borrowed: fc.bigInt(0n, U64_MAX),
  collateral: u64,
  priceUsd: fc.bigInt(0n, 100_000n),
});

const lendingSetting: fc.Arbitrary<LendingSetting> = fc.record({
  reserves: fc.array(reserveSetting, { minLength: RESERVES, maxLength: RESERVES }),
  deposits: fc.uniqueArray(fc.tuple(whole, u64), { selector: ([index]) => index }),
  borrows: fc.uniqueArray(fc.tuple(whole, u64), { selector: ([index]) => index, maxLength: 5 }),
  obligation: fc.constantFrom('open', 'open', 'open', 'none', 'closed'),
  metadata: fc.boolean(),
  referred: fc.boolean(),
  referrerStates: fc.uniqueArray(whole),
  farmUsers: fc.array(fc.record({ reserve: whole, side: fc.constantFrom('collateral', 'debt') })),
  balances: fc.array(fc.option(u64, { nil: undefined }), { maxLength: RESERVES }),
  lamports: u64,
  change: fc.record({ elevationGroup: fc.nat(33) }),
});

const amount: fc.Arbitrary<AmountInput> = fc.oneof(
  fc.record({ baseUnits: fc.bigInt(-1n, U64_MAX + 1n) }),
  fc.record({ baseUnits: fc.bigInt(1n, 10n ** 9n) }),
  fc.record({
    tokens: fc.constantFrom('1', '0.5', '1.0000001', '18446744073709551615', '-3').map(parseDecimal),
  }),
  fc.constant({ all: true } as const),
);

/** The result of the build, or its error code; any other error fails the property. */
function attempt<T>(run: () => T): T | string {
  try {
    return run();
  } catch (error) {
    if (isCodedError(error)) return error.code;
    throw error;
  }
}

/** Invariants of every build. */
function check(build: Build, again: Build): void {
  const { action } = build;
  expect(action).toEqual(again.action);
  for (const step of action.instructions) {
    const layout = findInstruction(known, step);
    const { accounts, args, remaining } = layout.decode(step);
    const encoded = layout.encode(step.programAddress, accounts, args, remaining);
    expect(Buffer.from(encoded.data)).toEqual(Buffer.from(step.data));
    expect(encoded.accounts).toEqual(step.accounts);
    expect(step.labels).toHaveLength(step.accounts.length);
    for (const { address, role } of step.accounts) {
      if (role >= AccountRole.READONLY_SIGNER) expect(address).toBe(WALLET);
    }
  }
  expect(instructionBundle(action.instructions, []).instructions).toHaveLength(action.instructions.length);
  attempt(() =>
    planTransactions({ feePayer: WALLET, instructions: action.instructions, tables: [], lifetime: LIFETIME }),
  );
  attempt(() => build.preview());
}

/** Every reserve of the obligation is refreshed once, the one acted on last, then the obligation with all of them. */
function checkRefreshes({ request, obligation }: LendingAccounts, { action }: Build): void {
  const steps = action.instructions.map((each) => decodeInstruction(known, each));
  const refreshed = steps
    .filter(({ name }) => name === 'refreshReserve')
    .map(({ accounts }) => accounts.reserve);
  const wanted = new Set<Address>([...obligationReserves(obligation), request.reserve]);
  expect(new Set(refreshed)).toEqual(wanted);
  expect(refreshed).toHaveLength(wanted.size);
  expect(refreshed.at(-1)).toBe(request.reserve);
  const named = steps
    .find(({ name }) => name === 'refreshObligation')
    ?.remaining.map(({ address }) => address);
  const slots = [
    ...(obligation?.deposits.map((each) => each.depositReserve) ?? []),
    ...(obligation?.borrows.map((each) => each.borrowReserve) ?? []),
  ].filter((address) => wanted.has(address));
  expect(named?.slice(0, slots.length)).toEqual(slots);
}

/** A chain that returns only requested accounts. */
function rounds(
  read: ReadAccounts,
  first: readonly Address[],
  second: (read: ReadAccounts) => readonly Address[],
) {
  const asked = new Set(first);
  const limited: ReadAccounts = (address) => {
    if (!asked.has(address)) throw new RangeError(`${address} was not asked for`);
    return read(address);
  };
  // As in a build, accounts that are not read yet are absent from the round that names them.
  const more = second((address) => (asked.has(address) ? read(address) : null));
  for (const address of more) asked.add(address);
  return limited;
}

describe('builders on random worlds', () => {
  it('lending: coded errors, complete refreshes, and a lossless round trip', () => {
    const property = fc.property(
      lendingSetting,
      fc.constantFrom('deposit', 'borrow', 'repay', 'withdraw'),
      whole,
      amount,
      (setting, action, index, input) => {
        const request = lendingRequest(action, { reserve: reserveAddress(index) });
        const localChain = lendingChain(setting);
        const outcome = attempt(() => {
          const read = rounds(localChain, firstLendingReads(request), (limited) =>
            secondLendingReads(request, limited),
          );
          const accounts = lendingAccounts(request, read, SLOT);
          return {
            accounts,
            build: buildLending(accounts, input, NOW),
            again: buildLending(accounts, input, NOW),
          };
        });
        if (typeof outcome === 'string') return;
        check(outcome.build, outcome.again);
        checkRefreshes(outcome.accounts, outcome.build);
      },
    );
    fc.assert(property, { numRuns: RUNS });
  });

  const vaultSetting: fc.Arbitrary<VaultSetting> = fc.record({
    sol: fc.boolean(),
    farm: fc.boolean(),
    idle: u64,
    sharesIssued: u64,
    invested: fc.array(u64, { maxLength: RESERVES }),
    reserves: fc.array(reserveSetting, { minLength: RESERVES, maxLength: RESERVES }),
    shares: u64,
    staked: u64,
    balance: u64,
    lamports: u64,
    penaltyBps: fc.bigInt(0n, 1_000n),
  });

  it('vaults: coded errors, shares that add up, and a lossless round trip', () => {
    fc.assert(
      fc.property(vaultSetting, fc.boolean(), amount, (setting, entering, input) => {
        const localChain = vaultChain(setting);
        const request = vaultRequest();
        const run = () => {
          const read = rounds(localChain, firstVaultReads(request), (limited) =>
            secondVaultReads(request, limited),
          );
          const accounts = vaultAccounts(request, read, SLOT);
          if (entering) return buildVaultEntry(accounts, input, NOW);
          const shares = 'baseUnits' in input ? { shares: Rational.of(input.baseUnits / 10n ** 9n) } : input;
          return buildVaultExit(accounts, shares, NOW);
        };
        const build = attempt(run);
        if (typeof build === 'string') return;
        const again = run();
        check(build, again);
        const parts = build.action.instructions
          .map((each) => decodeInstruction(known, each))
          .filter(({ name }) => name.startsWith('withdraw') && name !== 'withdrawUnstakedDeposits')
          .map(({ args }) => args.sharesAmount as bigint);
        if (entering) expect(parts).toEqual([]);
        else if (build.action.all) expect(parts.at(-1)).toBe(U64_MAX);
        else expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(build.action.amount);
      }),
      { numRuns: RUNS },
    );
  });

  it('corrupt accounts give a coded error or valid instructions', () => {
    const damage = fc.array(fc.tuple(fc.integer({ min: 96, max: 8_000 }), fc.nat(255)), { maxLength: 40 });
    fc.assert(
      fc.property(
        lendingSetting,
        damage,
        fc.constantFrom('deposit', 'borrow', 'repay', 'withdraw'),
        amount,
        (setting, bytes, action, input) => {
          const whole = lendingChain(setting);
          const read: ReadAccounts = (address) => {
            const account = whole(address);
            if (account === null || account.owner !== MAINNET_PROGRAMS.klend) return account;
            const data = Uint8Array.from(account.data);
            for (const [offset, byte] of bytes) if (offset < data.length) data[offset] = byte;
            return { ...account, data };
          };
          attempt(() => {
            const accounts = lendingAccounts(lendingRequest(action), read, SLOT);
            const build = buildLending(accounts, input, NOW);
            attempt(() => build.preview());
          });
        },
      ),
      { numRuns: RUNS },
    );
  });
});
