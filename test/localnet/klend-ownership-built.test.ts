import { lendingGlobalConfigAddress } from '@sluice/protocol/klend/addresses';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import type { Action } from '../../src/builders/action.ts';
import type { KnownAccounts } from '../../src/builders/known-accounts.ts';
import {
  abortTransferAction,
  acceptObligationAction,
  initiateTransferAction,
} from '../../src/builders/ownership/action.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { addressNumber, MARKET, reserveAddress, WALLET } from '../support/builders/lending-accounts.ts';
import { NOTHING_KNOWN, readOf, stepOn } from '../support/localnet/built-steps.ts';
import { PAIR } from '../support/localnet/order-bench.ts';
import { NEW_OWNER, OwnershipBench } from '../support/localnet/ownership-bench.ts';

/** Builders of the transfer of an obligation against the program of the localnet. */

const { klend } = MAINNET_PROGRAMS;
const OTHER = addressNumber(972);
/** An account that only a program signs for. */
const DERIVED = lendingGlobalConfigAddress(klend).address;

type Kind = 'initiate' | 'abort' | 'accept';

function actionOf(
  bench: OwnershipBench,
  kind: Kind,
  wallet: Address,
  newOwner: Address,
  known: KnownAccounts = NOTHING_KNOWN,
): Action {
  const place = { wallet, market: MARKET, obligation: { address: bench.obligationAddress } };
  if (kind === 'initiate') return initiateTransferAction(known, { ...place, newOwner });
  if (kind === 'abort') return abortTransferAction(known, place);
  return acceptObligationAction(known, { wallet, obligation: bench.obligationAddress });
}

const instructionOf = (bench: OwnershipBench, kind: Kind, wallet: Address, newOwner: Address) =>
  ({
    initiate: () => bench.initiating(newOwner, wallet),
    abort: () => bench.aborting(wallet),
    accept: () => bench.accepting(wallet),
  })[kind]();

/** Errors of the program by what the refusal of a build says. The framework's owner check has no number there. */
function refusalOf(build: () => unknown): number | null {
  try {
    build();
    return null;
  } catch (error) {
    if (!isCodedError(error, 'BUILD_REFUSED')) throw error;
    const number = /\((6\d{3}) Obligation\w+\)/.exec(error.message)?.[1];
    if (number !== undefined) return Number(number);
    expect(error.message).toContain('belongs to another wallet');
    return 2001;
  }
}

const someone = fc.constantFrom(WALLET, NEW_OWNER, OTHER);

const given = fc.record({
  kind: fc.constantFrom<Kind>('initiate', 'abort', 'accept'),
  /** Null for the one whose step it is. */
  stranger: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, someone),
  newOwner: fc.oneof({ weight: 4, arbitrary: someone }, fc.constantFrom(NO_ADDRESS, DERIVED)),
  state: fc.constantFrom(0, 0, 1, 2),
  pending: someone,
  orders: fc.array(
    fc.record({ index: fc.nat(2), lasts: fc.constantFrom(-1n, 0n, 60n), remaining: fc.constantFrom(0n, 7n) }),
    { maxLength: 2 },
  ),
});

type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

function benchOf({ state, pending, orders }: Given): OwnershipBench {
  const bench = new OwnershipBench();
  if (state !== 0) bench.changeObligation({ ownershipTransferState: state, pendingOwner: pending });
  for (const { index, lasts, remaining } of orders) bench.placeBorrowOrder(index, lasts, remaining);
  return bench;
}

describe('the steps of a transfer', () => {
  it('are refused where the program refuses them, and else leave the account as promised', () => {
    const seen = { built: 0, refused: new Set<number>() };
    fc.assert(
      fc.property(given, (each) => {
        const bench = benchOf(each);
        const { kind, newOwner, stranger } = each;
        const wallet = stranger ?? (kind === 'accept' ? each.pending : WALLET);
        const build = () => stepOn(bench, actionOf(bench, kind, wallet, newOwner));
        const refusal = refusalOf(build);
        if (refusal !== null) {
          seen.refused.add(refusal);
          expect(bench.failureOf([instructionOf(bench, kind, wallet, newOwner)])).toBe(refusal);
          return;
        }
        seen.built += 1;
        const step = build();
        const promised = step.after();
        const { ownership } = step.preview();
        const before = bench.obligation();
        expect(bench.failureOf(step.action.instructions)).toBeNull();
        expect([...promised.keys()]).toEqual([bench.obligationAddress]);
        const account = promised.get(bench.obligationAddress) ?? expect.fail('the obligation is gone');
        const found = readOf(bench, bench.obligationAddress) ?? expect.fail('the obligation is gone');
        expect(Buffer.from(account.data).toString('hex')).toBe(Buffer.from(found.data).toString('hex'));
        const after = obligationLayout.decode(found, klend);
        expect(ownership).toMatchObject({ ownerBefore: before.owner, ownerAfter: after.owner });
        expect(ownership?.after?.newOwner ?? NO_ADDRESS).toBe(after.pendingOwner);
        expect(ownership?.after?.state ?? null).toBe(after.ownershipTransferState === 1 ? 'INITIATED' : null);
      }),
      { numRuns: cases(120, 330), seed: 20_261_119 },
    );
    expect(seen.built).toBeGreaterThan(10);
    expect([...seen.refused].sort()).toEqual([2001, 6176, 6177, 6179, 6180, 6181]);
  }, 120_000);

  it('have nothing beside them', () => {
    const bench = new OwnershipBench();
    const { action, kind } = stepOn(bench, actionOf(bench, 'initiate', WALLET, NEW_OWNER));
    expect(kind).toBe('INITIATE_OBLIGATION_TRANSFER');
    expect(action.instructions).toMatchObject([
      { name: 'initiateObligationOwnershipTransfer', alone: true, setup: false },
    ]);
  });

  it('are refused for an obligation that is none, and in another market', () => {
    const bench = new OwnershipBench();
    const absent = acceptObligationAction(NOTHING_KNOWN, { wallet: OTHER, obligation: OTHER });
    expect(() => stepOn(bench, absent)).toThrow(
      expect.objectContaining({ code: 'KLEND_OBLIGATION_NOT_FOUND' }),
    );
    const wrong = abortTransferAction(NOTHING_KNOWN, { wallet: WALLET, market: reserveAddress(0) });
    expect(() => stepOn(bench, wrong)).toThrow(expect.objectContaining({ code: 'KLEND_MARKET_NOT_FOUND' }));
  });
});

describe('warnings', () => {
  const codes = (bench: OwnershipBench, kind: Kind, wallet: Address, newOwner: Address) =>
    stepOn(bench, actionOf(bench, kind, wallet, newOwner))
      .preview()
      .warnings.map(({ code }) => code);
  const ORDER = { conditionType: 1, conditionThresholdSf: 1n << 59n, opportunityType: 1 };

  it('name a new owner that cannot sign', () => {
    const bench = new OwnershipBench();
    expect(codes(bench, 'initiate', WALLET, NEW_OWNER)).toEqual([]);
    expect(codes(bench, 'initiate', WALLET, DERIVED)).toEqual(['NEW_OWNER_CANNOT_ACCEPT']);
  });

  it('name what stays: orders, and stakes in farms', () => {
    const farmed = new OwnershipBench({
      ...PAIR,
      reserves: [{ farmCollateral: true }, {}, {}],
    });
    expect(codes(farmed, 'initiate', WALLET, NEW_OWNER)).toEqual(['REWARDS_STAY']);
    const ordered = new OwnershipBench();
    ordered.changeObligation({ obligationOrders: [ORDER, {}] });
    expect(codes(ordered, 'initiate', WALLET, NEW_OWNER)).toEqual(['ORDERS_STAY']);
    ordered.changeObligation({ ownershipTransferState: 2, pendingOwner: NEW_OWNER });
    expect(codes(ordered, 'accept', NEW_OWNER, NEW_OWNER)).toEqual(['OBLIGATION_MAY_CHANGE', 'ORDERS_STAY']);
  });

  it('turn into a refusal with klend 1.26, where orders stand in the way', () => {
    const bench = new OwnershipBench();
    bench.changeObligation({ obligationOrders: [ORDER, {}] });
    const newer = { ...NOTHING_KNOWN, runsAtLeast: () => true };
    expect(() => stepOn(bench, actionOf(bench, 'initiate', WALLET, NEW_OWNER, newer))).toThrow(
      /6194 ObligationHasActiveObligationOrders/,
    );
  });
});
