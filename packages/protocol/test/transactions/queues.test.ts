import { withdrawCollateralV1, withdrawCollateralV2 } from '@sluice/protocol/klend/position-instructions';
import {
  cancelWithdrawTicket,
  enqueueToWithdraw,
  recoverInvalidTicketCollateral,
  withdrawQueuedLiquidity,
} from '@sluice/protocol/klend/withdraw-queue-instructions';
import { vaultRedeemInKind } from '@sluice/protocol/kvault/allocation-instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  accountsOf,
  burns,
  foreign,
  LOOKUPS,
  moves,
  type Nested,
  named,
  type TransactionOptions,
  transactionOf,
} from '../support/transaction-maker.ts';

const { klend, kvault } = MAINNET_PROGRAMS;
const read = createTransactionReader(MAINNET_PROGRAMS);

function queueOf(calls: readonly Nested[], options: TransactionOptions = {}) {
  const { queueEvents, problems } = read(transactionOf(calls, options), LOOKUPS);
  expect(problems).toEqual([]);
  return queueEvents.map(({ signature: _, slot: _slot, time: _time, ...event }) => event);
}

function enqueue(
  collateral: bigint,
  { callback = 0, source }: { readonly callback?: number; readonly source?: Address } = {},
): Nested {
  const given = source === undefined ? {} : { userSourceCollateralTa: source };
  const accounts = accountsOf(enqueueToWithdraw.accounts, given);
  return {
    // The argument is not what moved.
    instruction: enqueueToWithdraw.encode(klend, accounts, {
      collateralAmount: 999n,
      progressCallbackType: callback,
    }),
    calls: [moves(accounts.userSourceCollateralTa, named('ownerQueuedCollateralVault'), collateral)],
  };
}

const place = { ticket: named('withdrawTicket'), reserve: named('reserve'), market: named('lendingMarket') };
const enqueued = {
  kind: 'enqueue',
  ...place,
  wallet: named('owner'),
  signer: named('owner'),
  collateral: 8n,
  liquidity: null,
  obligation: null,
  vault: null,
  index: 0,
};

const redeemInKind = (calls: readonly Nested[]): Nested => ({
  instruction: vaultRedeemInKind.encode(kvault, accountsOf(vaultRedeemInKind.accounts), { sharesAmount: 5n }),
  calls: [burns(named('sharesMint'), named('userSharesTa'), 5n), ...calls],
});

describe('an entry into a withdraw queue', () => {
  it('holds the collateral tokens that moved', () => {
    expect(queueOf([enqueue(8n)])).toEqual([enqueued]);
    expect(queueOf([foreign('router', [enqueue(8n)])])).toEqual([enqueued]);
  });

  it('names the obligation that its collateral tokens left', () => {
    const withdrawn = [
      withdrawCollateralV1.encode(klend, accountsOf(withdrawCollateralV1.accounts), { collateralAmount: 8n }),
      withdrawCollateralV2.encode(klend, accountsOf(withdrawCollateralV2.accounts), { collateralAmount: 8n }),
    ].map((instruction): Nested => {
      const [from, to] = [named('reserveSourceCollateral'), named('userDestinationCollateral')];
      return { instruction, calls: [moves(from, to, 8n)] };
    });
    for (const each of withdrawn) {
      const own = enqueue(8n, { source: named('userDestinationCollateral') });
      expect(queueOf([each, own])).toEqual([{ ...enqueued, obligation: named('obligation') }]);
      expect(queueOf([each, enqueue(8n)])).toEqual([enqueued]);
    }
  });

  it('names the vault that paid its collateral tokens', () => {
    const paid = redeemInKind([moves(named('ctokenVault'), named('userCtokenTa'), 8n)]);
    const own = enqueue(8n, { source: named('userCtokenTa') });
    const expected = { ...enqueued, vault: named('vaultState'), signer: named('user') };
    expect(queueOf([paid, own])).toEqual([expected]);
    expect(queueOf([paid, enqueue(8n)])).toEqual([enqueued]);
  });

  it.each([true, false])('counts inside a redemption of a vault, with stack heights: %s', (heights) => {
    const within = redeemInKind([enqueue(8n, { source: named('ctokenVault') })]);
    expect(queueOf([within], { heights })).toEqual([
      { ...enqueued, vault: named('vaultState'), signer: named('user') },
    ]);
  });

  it('names the vault that owns the ticket', () => {
    const vault = named('progressCallbackCustomAccount0');
    expect(queueOf([enqueue(8n, { callback: 1 })])).toEqual([{ ...enqueued, vault }]);
  });

  it('is a problem when nothing moved', () => {
    const { queueEvents, problems } = read(transactionOf([enqueue(0n)]), LOOKUPS);
    expect(queueEvents).toEqual([]);
    expect(problems).toEqual([{ kind: 'nothingMoved', program: klend, instruction: 'enqueueToWithdraw' }]);
  });
});

describe('a ticket of a withdraw queue', () => {
  const vault = named('ownerQueuedCollateralVault');
  const withdraw = (calls: readonly Nested[]): Nested => ({
    instruction: withdrawQueuedLiquidity.encode(klend, accountsOf(withdrawQueuedLiquidity.accounts), {}),
    calls,
  });
  const paid = {
    ...enqueued,
    kind: 'withdraw',
    wallet: named('withdrawTicketOwner'),
    signer: named('payer'),
  };

  it('is paid by anybody, also in part', () => {
    const calls = [
      burns(named('reserveCollateralMint'), vault, 6n),
      moves(named('reserveLiquiditySupply'), named('userDestinationLiquidity'), 7n),
    ];
    expect(queueOf([withdraw(calls)])).toEqual([{ ...paid, collateral: 6n, liquidity: 7n }]);
  });

  it('is closed or skipped without a payment', () => {
    expect(queueOf([withdraw([])])).toEqual([{ ...paid, collateral: 0n, liquidity: 0n }]);
  });

  it('is cancelled by its owner', () => {
    const cancelled = cancelWithdrawTicket.encode(klend, accountsOf(cancelWithdrawTicket.accounts), {
      ticketSequenceNumber: 1n,
      collateralAmountToCancel: 2n ** 64n - 1n,
    });
    const calls = [moves(vault, named('userDestinationCollateral'), 3n)];
    expect(queueOf([{ instruction: cancelled, calls }])).toEqual([
      { ...enqueued, kind: 'cancel', collateral: 3n },
    ]);
  });

  it('is recovered by anybody', () => {
    const accounts = accountsOf(recoverInvalidTicketCollateral.accounts);
    const instruction = recoverInvalidTicketCollateral.encode(klend, accounts, { ticketSequenceNumber: 1n });
    const calls = [moves(vault, named('userSourceCollateral'), 4n)];
    expect(queueOf([{ instruction, calls }])).toEqual([{ ...paid, kind: 'recover', collateral: 4n }]);
  });

  it('numbers its events apart from those of positions', () => {
    const both = [enqueue(8n), enqueue(9n)];
    expect(queueOf(both).map(({ index, collateral }) => [index, collateral])).toEqual([
      [0, 8n],
      [1, 9n],
    ]);
  });
});
