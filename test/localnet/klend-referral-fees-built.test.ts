import { userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { userMetadata } from '@sluice/protocol/klend/user-metadata';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { rentExemptLamports } from '@sluice/protocol/sysvar/rent';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import type { Action, BuiltStep } from '../../src/builders/action.ts';
import {
  claimFeesAction,
  nameReferrerAction,
  setUpReferrerAction,
} from '../../src/builders/referral/action.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { addressNumber, MARKET, REFERRER, reserveAddress } from '../support/builders/lending-accounts.ts';
import { expectChanges, NOTHING_KNOWN, readOf, stepOn } from '../support/localnet/built-steps.ts';
import { feeAccount, LAMPORTS, ReferralBench } from '../support/localnet/referral-bench.ts';

/** Builds of referrers against the programs of the localnet. */

const CASES = cases(60, 400);
const RESERVES = [0, 1, 2] as const;
const { klend } = MAINNET_PROGRAMS;

const reserveCase = fc.record({
  /** Base units of fees, and a fraction of one. */
  owed: fc.oneof(fc.bigInt(0n, 3n), fc.bigInt(1n, 9_000_000_000n)),
  fractionSf: fc.oneof(fc.constant(0n), fc.bigInt(0n, FRACTION_ONE - 1n)),
  /** What the reserve owes all referrers, more or less than to this one. */
  restSf: fc.oneof(fc.constant(0n), fc.bigInt(-5n * FRACTION_ONE, 10n ** 9n * FRACTION_ONE)),
  available: fc.oneof(fc.constantFrom(0n, 1n), fc.bigInt(0n, 10_000_000_000n), fc.constant(10n ** 12n)),
  borrowed: fc.bigInt(10n ** 11n, 10n ** 12n),
  collateral: fc.bigInt(10n ** 11n, 10n ** 12n),
  /** Thousandths of the collateral tokens. */
  queued: fc.oneof({ weight: 3, arbitrary: fc.constant(0n) }, fc.bigInt(0n, 20n)),
  isEmergency: fc.nat(11).map((n) => n === 0),
  opens: fc.boolean(),
});

const situations = fc.record({
  reserves: fc.tuple(reserveCase, reserveCase, reserveCase),
  waits: fc.constantFrom(0n, 1n, 5_000n, 2_000_000n),
  priceAge: fc.oneof({ weight: 5, arbitrary: fc.constant(0n) }, fc.constant(100_000n)),
  isMarketEmergency: fc.nat(19).map((n) => n === 0),
  named: fc.boolean(),
});

type Case = typeof situations extends fc.Arbitrary<infer T> ? T : never;

function benchOf({ reserves, waits, priceAge, isMarketEmergency }: Case): ReferralBench {
  const bench = new ReferralBench(
    reserves.map(({ available, borrowed, collateral }) => ({ available, borrowed, collateral })),
  );
  for (const [index, each] of reserves.entries()) {
    const sf = each.owed * FRACTION_ONE + each.fractionSf;
    bench.owe(index, sf, sf + each.restSf < 0n ? 0n : sf + each.restSf);
    bench.changeReserve(index, {
      withdrawQueue: { queuedCollateralAmount: (each.collateral * each.queued) / 1000n },
      ...(each.isEmergency ? { config: { emergencyMode: 1 } } : {}),
    });
    if (each.opens) bench.openTokens(index);
  }
  bench.wait(waits, priceAge);
  if (isMarketEmergency) bench.changeMarket({ emergencyMode: 1 });
  return bench;
}

/** Null when nothing can be claimed. */
function claimOn(bench: ReferralBench, named: boolean): BuiltStep | null {
  const reserves = RESERVES.map(reserveAddress);
  const request = named ? { wallet: REFERRER, reserves } : { wallet: REFERRER };
  try {
    return stepOn(bench, claimFeesAction(NOTHING_KNOWN, request, reserves));
  } catch (error) {
    if (isCodedError(error, 'NOTHING_TO_CLAIM')) return null;
    throw error;
  }
}

/** Whether the program pays the reserve's fees by itself, on a copy of the accounts. */
function isRefused(given: Case, index: number): boolean {
  const bench = benchOf(given);
  bench.openTokens(index);
  return bench.failureOf([bench.refreshing(index), bench.claiming(index)]) !== null;
}

describe('claims of referral fees', () => {
  it('pay what they promise, and leave out what the program refuses', () => {
    const seen = { paid: 0, leftOut: 0, nothing: 0 };
    fc.assert(
      fc.property(situations, (given) => {
        const bench = benchOf(given);
        const held = RESERVES.map((index) => bench.held(index));
        const step = claimOn(bench, given.named);
        const paid = step?.preview().referralFees ?? [];
        for (const index of RESERVES) {
          const isPaid = paid.some(({ reserve }) => reserve === reserveAddress(index));
          expect(isRefused(given, index), `reserve ${index}`).toBe(!isPaid);
          if (!isPaid && given.named && step !== null) seen.leftOut += 1;
        }
        if (step === null) {
          seen.nothing += 1;
          return;
        }
        const leftOut = step.preview().warnings.filter(({ code }) => code === 'REFERRAL_FEE_LEFT_OUT');
        if (given.named) expect(leftOut).toHaveLength(RESERVES.length - paid.length);
        const promised = step.after();
        const before = new Map([...promised.keys()].map((address) => [address, readOf(bench, address)]));
        expect(bench.failureOf(step.action.instructions)).toBeNull();
        expectChanges(bench, promised, before);
        for (const { reserve, amount } of paid) {
          const index = RESERVES.findIndex((each) => reserveAddress(each) === reserve);
          expect(bench.held(index) - (held[index] ?? 0n)).toBe(amount);
          seen.paid += 1;
        }
      }),
      { numRuns: CASES, seed: 20_261_119 },
    );
    expect(seen.paid).toBeGreaterThan(CASES / 2);
    expect(seen.leftOut).toBeGreaterThan(CASES / 10);
    expect(seen.nothing).toBeGreaterThan(CASES / 30);
  }, 120_000);

  it('name the error with which the program refuses', () => {
    const reasonOf = (change: (bench: ReferralBench) => void): string => {
      const bench = new ReferralBench([{}]);
      bench.owe(0, 10n * FRACTION_ONE);
      change(bench);
      const request = { wallet: REFERRER, reserves: [reserveAddress(0)] };
      try {
        stepOn(bench, claimFeesAction(NOTHING_KNOWN, request, []));
      } catch (error) {
        if (isCodedError(error, 'NOTHING_TO_CLAIM')) return error.message;
      }
      return expect.fail('it was built');
    };
    expect(reasonOf((bench) => bench.owe(0, FRACTION_ONE - 1n))).toContain('less than one base unit');
    expect(
      reasonOf((bench) => bench.changeReserve(0, { liquidity: { totalAvailableAmount: 0n } })),
    ).toContain('no free liquidity');
    expect(reasonOf((bench) => bench.changeMarket({ emergencyMode: 1 }))).toContain('emergency mode');
    expect(reasonOf((bench) => bench.wait(1n, 100_000n))).toContain('too old');
    expect(
      reasonOf((bench) =>
        bench.set(feeAccount(0), {
          owner: SYSTEM_PROGRAM,
          lamports: 0n,
          data: new Uint8Array(),
          executable: false,
        }),
      ),
    ).toContain("no referrer's account");
  });
});

const NEWCOMER = addressNumber(960);

function withNewcomer(): ReferralBench {
  const bench = new ReferralBench([{}, {}]);
  bench.set(NEWCOMER, {
    owner: SYSTEM_PROGRAM,
    lamports: LAMPORTS,
    data: new Uint8Array(),
    executable: false,
  });
  return bench;
}

function act(bench: ReferralBench, action: Action): BuiltStep {
  const step = stepOn(bench, action);
  const promised = step.after();
  const before = new Map([...promised.keys()].map((address) => [address, readOf(bench, address)]));
  const lamports = bench.account(action.wallet).lamports;
  expect(bench.failureOf(step.action.instructions)).toBeNull();
  expectChanges(bench, promised, before);
  const rent = step.preview().referrer?.rent.amount ?? expect.fail('no figures');
  expect(lamports - bench.account(action.wallet).lamports).toBe(rent);
  return step;
}

describe('the set-up of a referrer', () => {
  const setUp = (...indexes: number[]) =>
    setUpReferrerAction(NOTHING_KNOWN, {
      wallet: NEWCOMER,
      market: MARKET,
      reserves: indexes.map(reserveAddress),
    });

  it('registers the wallet and opens its accounts, what is missing of them', () => {
    const bench = withNewcomer();
    const step = act(bench, setUp(0));
    expect(step.preview().referrer).toMatchObject({
      referrer: NEWCOMER,
      registers: true,
      reserves: [reserveAddress(0)],
    });
    const rent = rentExemptLamports(userMetadata.size) + rentExemptLamports(referrerTokenState.size);
    expect(step.preview().referrer?.rent.amount).toBe(rent);
    expect(step.preview().warnings).toEqual([]);
    expect(act(bench, setUp(0, 1)).preview().referrer).toMatchObject({
      registers: false,
      reserves: [reserveAddress(1)],
    });
    expect(() => stepOn(bench, setUp(0, 1))).toThrow(/is set up as a referrer in all/);
    expect(() => setUp()).toThrow(/no reserve/);
  });

  it('warns of a market without referral fees, and of too little SOL', () => {
    const bench = withNewcomer();
    bench.changeMarket({ referralFeeBps: 0 });
    bench.set(NEWCOMER, { ...bench.account(NEWCOMER), lamports: 1_000n });
    const codes = stepOn(bench, setUp(0))
      .preview()
      .warnings.map(({ code }) => code);
    expect(codes).toEqual(['BALANCE_TOO_LOW', 'REFERRAL_FEE_OFF']);
  });
});

describe('a wallet that names its referrer', () => {
  const naming = () => nameReferrerAction(NOTHING_KNOWN, { wallet: NEWCOMER, referrer: REFERRER });

  it('is registered with it, once', () => {
    const bench = withNewcomer();
    expect(() => stepOn(bench, naming())).toThrow(/not registered with the lending program/);
    bench.set(userMetadataAddress(klend, REFERRER).address, {
      owner: klend,
      lamports: LAMPORTS,
      data: userMetadata.encode({ owner: REFERRER }),
      executable: false,
    });
    const step = act(bench, naming());
    expect(step.preview().warnings.map(({ code }) => code)).toEqual(['REFERRER_FINAL']);
    const own = bench.account(userMetadataAddress(klend, NEWCOMER).address);
    expect(userMetadata.decode(own, klend)).toMatchObject({ owner: NEWCOMER, referrer: REFERRER });
    expect(() => stepOn(bench, naming())).toThrow(/already registered with referrer/);
    expect(bench.failureOf(step.action.instructions)).toBe(0);
  });

  it('cannot name itself', () => {
    const own = { wallet: NEWCOMER, referrer: NEWCOMER };
    expect(() => nameReferrerAction(NOTHING_KNOWN, own)).toThrow(/its own referrer/);
  });
});
