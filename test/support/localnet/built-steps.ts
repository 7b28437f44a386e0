import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import type { ProgramBench } from '../../../packages/localnet/test/support/runtime/program-bench.ts';
import type { AccountChanges } from '../../../src/builders/account-changes.ts';
import type { Action, BuiltStep } from '../../../src/builders/action.ts';
import type { KnownAccounts } from '../../../src/builders/known-accounts.ts';
import { foldSteps } from '../../../src/builders/plan/step-fold.ts';
import type { ReadAccount } from '../../../src/builders/read-accounts.ts';
import type { Moment } from '../../../src/domain/moment.ts';

/** Builds on the accounts of a bench, and compares the accounts that they promise with those that the programs leave. */

const { klend } = MAINNET_PROGRAMS;

/** Nothing is known before the accounts are read. */
export const NOTHING_KNOWN: KnownAccounts = {
  programs: MAINNET_PROGRAMS,
  runsAtLeast: () => null,
  mintOf: (address) => expect.fail(`the mint of ${address} is not needed`),
  reserve: () => undefined,
  reservesOf: () => [],
  vault: () => undefined,
  farm: () => undefined,
  tablesOfMarket: () => [],
  tablesOfFarm: () => [],
  lastReferences: () => undefined,
  isShareMint: () => false,
  rewardApys: () => expect.fail('no rewards are needed'),
};

/** Reads an account of the bench as a builder does. */
export function readOf(bench: ProgramBench, address: Address): ReadAccount | null {
  const account = bench.get(address);
  if (account === undefined || account.lamports === 0n) return null;
  return { address, owner: account.owner, data: account.data, lamports: account.lamports };
}

export const momentOf = ({ clock }: ProgramBench): Moment => ({
  slot: clock.slot,
  timestamp: clock.unixTimestamp,
  slotDurationMs: integer(400n),
});

/** Builds one action. Throws when it cannot be built. @param payer of fee and rent */
export function stepOn(bench: ProgramBench, action: Action, payer: Address = action.wallet): BuiltStep {
  const moment = momentOf(bench);
  const attempt = foldSteps(
    [action],
    (address) => readOf(bench, address),
    () => true,
    { slot: bench.clock.slot, moment, payer },
    { strict: false, isPlan: false },
  );
  return 'built' in attempt ? (attempt.built[0]?.built ?? expect.fail('no step')) : expect.fail('needs more');
}

/** Expects the accounts as promised, to the base unit and the lamport. */
export function expectChanges(
  bench: ProgramBench,
  promised: AccountChanges,
  before: ReadonlyMap<Address, ReadAccount | null>,
): void {
  for (const [address, account] of promised) {
    const found = readOf(bench, address);
    const what = `${address}, before ${before.get(address)?.lamports}`;
    expect(found === null, what).toBe(account === null);
    if (found === null || account === null) continue;
    expect({ lamports: found.lamports, owner: found.owner }, what).toEqual({
      lamports: account.lamports,
      owner: account.owner,
    });
    expect(comparable(found), what).toEqual(comparable(account));
  }
}

/** What builds follow of an account: of a reserve and an obligation, the parts that the next build depends on. */
function comparable(account: ReadAccount): unknown {
  if (account.owner !== klend) return Buffer.from(account.data).toString('hex');
  if (account.data.length === reserve.size) return reserveState(account);
  return account.data.length === obligation.size
    ? positions(account)
    : Buffer.from(account.data).toString('hex');
}

function reserveState(account: ReadAccount) {
  const { lastUpdate, liquidity, collateral, withdrawQueue } = reserve.decode(account, klend);
  return {
    slot: lastUpdate.slot,
    stale: lastUpdate.stale,
    available: liquidity.totalAvailableAmount,
    borrowedSf: liquidity.borrowedAmountSf,
    protocolFeesSf: liquidity.accumulatedProtocolFeesSf,
    referrerFeesSf: liquidity.accumulatedReferrerFeesSf,
    rate: liquidity.cumulativeBorrowRateBsf.value,
    priceSf: liquidity.marketPriceSf,
    minted: collateral.mintTotalSupply,
    queued: withdrawQueue.queuedCollateralAmount,
    nextIssued: withdrawQueue.nextIssuedTicketSequenceNumber,
    nextPaid: withdrawQueue.nextWithdrawableTicketSequenceNumber,
  };
}

const positions = (account: ReadAccount) => {
  const { owner, pendingOwner, ownershipTransferState, deposits } = obligation.decode(account, klend);
  return {
    owner,
    pendingOwner,
    ownershipTransferState,
    deposits: deposits.map(({ depositReserve, depositedAmount }) => [depositReserve, depositedAmount]),
  };
};
