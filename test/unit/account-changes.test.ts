import { obligation, obligationLiquidity, obligationOrder } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { EMPTY_DEBT, NO_ORDER } from '../../src/builders/lending/changes.ts';
import { isObligationModified } from '../../src/live/account-changes.ts';

const { klend } = MAINNET_PROGRAMS;
type Fields = Parameters<typeof obligation.encode>[0];
const decoded = (fields: Fields) =>
  obligation.decode({ owner: klend, data: obligation.encode(fields) }, klend);

describe('a modified obligation', () => {
  const order = { debtLiquidityMint: named('debt'), remainingDebtAmount: 5n };
  const less = { ...order, remainingDebtAmount: 4n };

  it.each<[string, Fields, Fields]>([
    ['borrow order 0', { headBorrowOrder: order }, { headBorrowOrder: less }],
    ['borrow order 1', { tailBorrowOrders: [order] }, { tailBorrowOrders: [less] }],
    ['borrow order 2', { tailBorrowOrders: [{}, order] }, { tailBorrowOrders: [{}, less] }],
    ['a leverage order', {}, { obligationOrders: [{}, { conditionType: 1 }] }],
    [
      'the terms of a rollover',
      {},
      { borrows: [{ fixedTermBorrowRolloverConfig: { autoRolloverEnabled: 1 } }] },
    ],
    ['an offer of its ownership', {}, { pendingOwner: named('new owner') }],
  ])('differs in %s', (_, before, after) => {
    expect(isObligationModified(decoded(before), decoded(before))).toBe(false);
    expect(isObligationModified(decoded(before), decoded(after))).toBe(true);
  });

  it('differs in more than what a refresh stores', () => {
    const refreshed = { lastUpdate: { slot: 9n, stale: 0 }, depositedValueSf: 7n };
    expect(isObligationModified(decoded({}), decoded(refreshed))).toBe(false);
  });
});

describe('what the program clears', () => {
  it('is every field of an order, those of klend 1.26 included', () => {
    const data = new Uint8Array(obligationOrder.size);
    const view = new DataView(data.buffer);
    obligationOrder.write(view, 0, {
      conditionThresholdSf: 1n,
      opportunityParameterSf: 1n,
      minExecutionBonusBps: 1,
      maxExecutionBonusBps: 1,
      conditionType: 1,
      opportunityType: 1,
      maxBorrowRateBps: 1,
      minDebtTermSeconds: 1,
      debtMintAddress: named('debt'),
      collateralMintAddress: named('collateral'),
    });
    obligationOrder.write(view, 0, NO_ORDER);
    expect(data).toEqual(new Uint8Array(obligationOrder.size));
  });

  it('is every field of a debt, its rollover included', () => {
    const data = new Uint8Array(obligationLiquidity.size);
    const view = new DataView(data.buffer);
    obligationLiquidity.write(view, 0, {
      borrowReserve: named('reserve'),
      lastBorrowedAtTimestamp: 1n,
      fixedTermBorrowRolloverConfig: {
        autoRolloverEnabled: 1,
        openTermAllowed: 1,
        migrationToFixedEnabled: 1,
        fixedTermRolloverWindowDurationDays: 1,
        maxBorrowRateBps: 1,
        minDebtTermSeconds: 1n,
      },
    });
    obligationLiquidity.write(view, 0, EMPTY_DEBT);
    expect(data).toEqual(new Uint8Array(obligationLiquidity.size));
  });
});
