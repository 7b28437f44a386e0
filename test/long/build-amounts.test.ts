import { decodeInstruction, knownInstructions } from '@sluice/protocol/instructions';
import { U64_MAX, WAD } from '@sluice/protocol/numeric/fraction';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Build } from '../../src/builders/action.ts';
import type { AmountInput } from '../../src/builders/amount.ts';
import { lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import { vaultAccounts } from '../../src/builders/vault/accounts.ts';
import { buildVaultEntry, buildVaultExit } from '../../src/builders/vault/action.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { collateralToLiquidity } from '../../src/domain/reserve.ts';
import { ERROR_CODES } from '../../src/errors/codes.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import {
  lendingChain,
  lendingRequest,
  NOW,
  type ReserveSetting,
  reserveAddress,
  SLOT,
} from '../support/builders/lending-accounts.ts';
import { vaultChain, vaultRequest } from '../support/builders/vault-accounts.ts';

/** Successful builds; rejected ones are not counted. */
const LENDING_BUILDS = 7_000;
const VAULT_BUILDS = 3_000;
const RESERVES = 5;
const known = knownInstructions(MAINNET_PROGRAMS);

const units = fc.oneof(
  fc.bigInt(1n, U64_MAX - 1n),
  fc.bigInt(1n, 10n ** 12n),
  fc.bigInt(1n, 10n),
  fc.constant(U64_MAX - 1n),
);
const reserveSetting: fc.Arbitrary<ReserveSetting> = fc.record({
  sol: fc.boolean(),
  tokenProgram: fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
  farmCollateral: fc.boolean(),
  farmDebt: fc.boolean(),
  available: units,
  borrowed: fc.bigInt(0n, 10n ** 15n),
  collateral: units,
  priceUsd: fc.bigInt(0n, 100_000n),
});
const reserves = fc.array(reserveSetting, { minLength: RESERVES, maxLength: RESERVES });
const amounts = fc.array(units, { minLength: RESERVES, maxLength: RESERVES });

/** Rejections have known codes and are not counted as builds. */
function built<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!isCodedError(error)) throw error;
    expect(Object.keys(ERROR_CODES)).toContain(error.code);
    fc.pre(false);
    throw error;
  }
}

/** Decoded arguments of every instruction. No number exceeds its field. */
function decoded({ action }: Build): Record<string, unknown>[] {
  expect(action.amount).toBeGreaterThanOrEqual(0n);
  // The preview of "all" may exceed what one account can hold in a generated world.
  if (!action.all) expect(action.amount).toBeLessThanOrEqual(U64_MAX);
  return action.instructions.map((each) => {
    const { args } = decodeInstruction(known, each);
    for (const [name, value] of Object.entries(args)) {
      if (typeof value !== 'bigint') continue;
      expect(value, name).toBeGreaterThanOrEqual(0n);
      expect(value, name).toBeLessThanOrEqual(name === 'stakeSharesScaled' ? U64_MAX * WAD : U64_MAX);
    }
    return args;
  });
}

/** All values of one argument, in order. */
const argument = (steps: readonly Record<string, unknown>[], name: string) =>
  steps.flatMap((args) => (name in args ? [args[name]] : []));

describe('ten thousand builds', () => {
  it(`lending: ${LENDING_BUILDS} builds encode the requested amounts`, () => {
    const world = fc.record({ reserves, deposited: amounts, owed: amounts, balances: amounts });
    fc.assert(
      fc.property(
        world,
        fc.constantFrom('deposit', 'borrow', 'repay', 'withdraw'),
        fc.nat(RESERVES - 1),
        fc.option(units),
        ({ deposited, owed, ...setting }, action, index, asked) => {
          const request = lendingRequest(action, { reserve: reserveAddress(index) });
          const localChain = lendingChain({
            ...setting,
            deposits: deposited.map((amount, each) => [each, amount] as const),
            borrows: owed.map((amount, each) => [each, amount] as const),
          });
          const input: AmountInput = asked === null ? { all: true } : { baseUnits: asked };
          const run = () => {
            const accounts = lendingAccounts(request, localChain, SLOT);
            return { accounts, build: buildLending(accounts, input, NOW) };
          };
          const { accounts, build } = built(run);
          expect(run().build.action).toEqual(build.action);
          const steps = decoded(build);
          if (asked !== null) expect(build.action.amount).toBe(asked);
          if (action !== 'withdraw') {
            const open = action === 'repay' && asked === null;
            expect(argument(steps, 'liquidityAmount')).toEqual([open ? U64_MAX : build.action.amount]);
          } else {
            const [collateral] = argument(steps, 'collateralAmount') as bigint[];
            if (collateral === undefined) throw new Error('nothing is withdrawn');
            const accrued = refreshReserve(accounts.reserve, NOW, accounts.market);
            const worth = (tokens: bigint) => collateralToLiquidity(accrued, tokens);
            if (asked === null) expect(collateral).toBe(U64_MAX);
            else {
              expect(worth(collateral).compare(integer(asked))).toBeGreaterThanOrEqual(0);
              expect(worth(collateral - 1n).compare(integer(asked))).toBeLessThan(0);
            }
          }
          built(() => build.preview());
        },
      ),
      { numRuns: LENDING_BUILDS },
    );
  });

  it(`vaults: ${VAULT_BUILDS} builds encode the requested amounts`, () => {
    const world = fc.record({
      sol: fc.boolean(),
      farm: fc.boolean(),
      idle: units,
      sharesIssued: units,
      invested: fc.array(units, { maxLength: RESERVES }),
      reserves,
      shares: units,
      staked: units,
      balance: units,
      penaltyBps: fc.bigInt(0n, 1_000n),
    });
    fc.assert(
      fc.property(world, fc.boolean(), fc.option(units), (setting, entering, asked) => {
        const localChain = vaultChain(setting);
        const decimals = setting.sol ? 9 : 6;
        const run = () => {
          const accounts = vaultAccounts(vaultRequest(), localChain, SLOT);
          if (entering) {
            return buildVaultEntry(accounts, asked === null ? { all: true } : { baseUnits: asked }, NOW);
          }
          const shares =
            asked === null ? { all: true as const } : { shares: Rational.of(asked, 10n ** BigInt(decimals)) };
          return buildVaultExit(accounts, shares, NOW);
        };
        const build = built(run);
        expect(run().action).toEqual(build.action);
        const steps = decoded(build);
        if (asked !== null) expect(build.action.amount).toBe(asked);
        if (entering) expect(argument(steps, 'maxAmount')).toEqual([build.action.amount]);
        else {
          const parts = argument(steps, 'sharesAmount') as bigint[];
          if (build.action.all) expect(parts.at(-1)).toBe(U64_MAX);
          else expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(asked);
        }
        built(() => build.preview());
      }),
      { numRuns: VAULT_BUILDS },
    );
  });
});
