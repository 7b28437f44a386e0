import { describedInstructions } from '@sluice/protocol/described-instructions';
import { borrowOrderFullFillEvent, borrowOrderPartialFillEvent } from '@sluice/protocol/klend/events';
import { rolloverFixedTermBorrow } from '@sluice/protocol/klend/obligation-instructions';
import {
  executeObligationOrder,
  fillBorrowOrderV1,
  fillBorrowOrderV2,
} from '@sluice/protocol/klend/order-instructions';
import {
  enqueueToWithdraw,
  withdrawQueuedLiquidity,
} from '@sluice/protocol/klend/withdraw-queue-instructions';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import { describe, expect, it } from 'vitest';
import {
  accountsOf,
  burns,
  LOOKUPS,
  moves,
  type Nested,
  named,
  type TransactionOptions,
  transactionOf,
} from '../support/transaction-maker.ts';

const { klend } = MAINNET_PROGRAMS;
const read = createTransactionReader(MAINNET_PROGRAMS);

const lendingOf = (call: Nested, options: TransactionOptions = {}, lookups = LOOKUPS) => {
  const { lendingEvents, problems } = read(transactionOf([call], options), lookups);
  expect(problems).toEqual([]);
  return lendingEvents.map(({ kind, side, reserve, owner, signer, liquidity, fee }) => ({
    kind,
    side,
    reserve,
    owner,
    signer,
    liquidity,
    fee,
  }));
};

const debt = { side: 'debt', signer: named('payer'), fee: 0n };

describe('borrow orders', () => {
  const calls = [
    moves(named('reserveSourceLiquidity'), named('borrowReserveLiquidityFeeReceiver'), 3n),
    moves(named('reserveSourceLiquidity'), named('userDestinationLiquidity'), 300n),
  ];
  const fills = [
    fillBorrowOrderV1.encode(klend, accountsOf(fillBorrowOrderV1.accounts), {}),
    fillBorrowOrderV2.encode(klend, accountsOf(fillBorrowOrderV2.accounts), { orderIdx: 2 }),
  ];
  const expected = { ...debt, kind: 'borrow', reserve: named('borrowReserve'), liquidity: 300n, fee: 3n };

  it.each(fills)('are filled by a borrow of the owner of the destination', (instruction) => {
    const destination = { mint: named('mint'), owner: named('owner of the order') };
    const accounts = { [named('userDestinationLiquidity')]: destination };
    expect(lendingOf({ instruction, calls }, { accounts })).toEqual([
      { ...expected, owner: named('owner of the order') },
    ]);
    const known = { ...LOOKUPS, ownerOfObligation: () => named('known owner') };
    expect(lendingOf({ instruction, calls }, {}, known)).toEqual([
      { ...expected, owner: named('known owner') },
    ]);
    expect(lendingOf({ instruction, calls })).toEqual([{ ...expected, owner: null }]);
  });
});

describe('the order of a fill', () => {
  const instruction = fillBorrowOrderV2.encode(klend, accountsOf(fillBorrowOrderV2.accounts), {
    orderIdx: 0,
  });
  const paid = moves(named('reserveSourceLiquidity'), named('userDestinationLiquidity'), 300n);
  const placed = { placedAtTimestamp: 1_700_000_000n, requestedDebtAmount: 1_000n };
  const before = { ...placed, remainingDebtAmount: 900n };
  const after = { ...placed, remainingDebtAmount: 600n };
  const authority = { eventAuthority: named('eventAuthority') };
  const orderOf = (...events: readonly EncodedInstruction[]) => {
    const calls = [paid, ...events.map((event) => ({ instruction: event }))];
    const { lendingEvents, problems } = read(transactionOf([{ instruction, calls }]), LOOKUPS);
    expect(problems).toEqual([]);
    expect(lendingEvents).toMatchObject([{ kind: 'borrow', liquidity: 300n }]);
    return lendingEvents[0]?.order;
  };

  it('is that of the event: what was left of it, and when it was placed', () => {
    const partial = borrowOrderPartialFillEvent.encode(klend, authority, { before, after });
    expect(orderOf(partial)).toEqual({ placedAt: 1_700_000_000n, left: 600n });
    const full = borrowOrderFullFillEvent.encode(klend, authority, { before });
    expect(orderOf(full)).toEqual({ placedAt: 1_700_000_000n, left: 0n });
  });

  it('is unknown without the event, and when its data is cut', () => {
    const full = borrowOrderFullFillEvent.encode(klend, authority, { before });
    expect(orderOf()).toBeUndefined();
    expect(orderOf({ ...full, data: full.data.subarray(0, 40) })).toBeUndefined();
  });
});

describe('rollovers', () => {
  const calls = [moves(named('targetBorrowReserveLiquidity'), named('sourceBorrowReserveLiquidity'), 500n)];

  it('repay one reserve with a borrow from another', () => {
    const instruction = rolloverFixedTermBorrow.encode(
      klend,
      accountsOf(rolloverFixedTermBorrow.accounts),
      {},
    );
    const owner = named('known owner');
    const found = lendingOf({ instruction, calls }, {}, { ...LOOKUPS, ownerOfObligation: () => owner });
    expect(found).toEqual([
      { ...debt, kind: 'repay', reserve: named('sourceBorrowReserve'), owner, liquidity: 500n },
      { ...debt, kind: 'borrow', reserve: named('targetBorrowReserve'), owner, liquidity: 500n },
    ]);
    // The wallet that rolls a debt over need not be its owner.
    expect(lendingOf({ instruction, calls }).map((each) => each.owner)).toEqual([null, null]);
  });

  it('within one reserve change no amount', () => {
    const accounts = accountsOf(rolloverFixedTermBorrow.accounts, {
      targetBorrowReserve: named('sourceBorrowReserve'),
    });
    const instruction = rolloverFixedTermBorrow.encode(klend, accounts, {});
    expect(lendingOf({ instruction })).toEqual([]);
  });
});

describe('instructions without events', () => {
  it('are those of the withdraw queue, whose collateral tokens belong to no obligation', () => {
    const args = { collateralAmount: 8n, progressCallbackType: 0 };
    const enqueued = {
      instruction: enqueueToWithdraw.encode(klend, accountsOf(enqueueToWithdraw.accounts), args),
      calls: [moves(named('userSourceCollateralTa'), named('ownerQueuedCollateralVault'), 8n)],
    };
    const paid = {
      instruction: withdrawQueuedLiquidity.encode(klend, accountsOf(withdrawQueuedLiquidity.accounts), {}),
      calls: [
        burns(named('reserveCollateralMint'), named('ownerQueuedCollateralVault'), 8n),
        moves(named('reserveLiquiditySupply'), named('userDestinationLiquidity'), 9n),
      ],
    };
    expect(lendingOf(enqueued)).toEqual([]);
    expect(lendingOf(paid)).toEqual([]);
  });

  it('are reported when they change a position that no event describes', () => {
    const args = {
      orderIndex: 0,
      expectedOpportunityType: 0,
      maxGivenLiquidityAmount: 1n,
      minReceivedLiquidityAmount: 1n,
    };
    const instruction = executeObligationOrder.encode(
      klend,
      accountsOf(executeObligationOrder.accounts),
      args,
    );
    expect(read(transactionOf([{ instruction }]), LOOKUPS).problems).toEqual([
      { kind: 'unrecognised', program: klend, discriminator: '88054822a9f9fb9a' },
    ]);
  });

  it('are all others that have a layout', () => {
    for (const program of Object.values(MAINNET_PROGRAMS)) {
      for (const { name, discriminator } of describedInstructions(MAINNET_PROGRAMS).get(program) ?? []) {
        if (name === executeObligationOrder.name) continue;
        const instruction = { programAddress: program, accounts: [], data: discriminator };
        const { problems } = read(transactionOf([{ instruction }]), LOOKUPS);
        expect(problems.filter(({ kind }) => kind === 'unrecognised')).toEqual([]);
      }
    }
  });
});
