import { KaminoAction } from '@kamino-finance/klend-sdk/dist/classes/action.js';
import { VanillaObligation } from '@kamino-finance/klend-sdk/dist/utils/ObligationType.js';
import { createNoopSigner } from '@solana/kit';
import { SLOT } from '../constants.ts';
import { bn } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { type LendingCase, lendingCases } from './lending-cases.ts';
import { KLEND, LendingWorld, lendingBase } from './lending-world.ts';
import { instructionsJson } from './sdk-instructions.ts';

async function lendingCase({
  name,
  action,
  reserve,
  amount,
  holdings,
  obligation,
}: LendingCase): Promise<Json> {
  const world = new LendingWorld();
  const type = obligation?.(world) ?? new VanillaObligation(KLEND);
  await world.hold(type, holdings);
  const props = {
    kaminoMarket: world.market(),
    amount: bn(amount),
    reserveAddress: world.address(reserve),
    owner: createNoopSigner(world.wallet),
    obligation: type,
    useV2Ixs: true,
    scopeRefreshConfig: undefined,
    extraComputeBudget: 1_000_000,
    includeAtaIxs: true,
    initUserMetadata: { skipInitialization: false, skipLutCreation: true },
    currentSlot: SLOT,
  };
  const built = await {
    deposit: () => KaminoAction.buildDepositTxns(props),
    borrow: () => KaminoAction.buildBorrowTxns(props),
    repay: () => KaminoAction.buildRepayTxns(props),
    withdraw: () => KaminoAction.buildWithdrawTxns(props),
  }[action]();
  const { tag, id, seed1, seed2 } = type.toArgs();
  return {
    name,
    action,
    slot: `${SLOT}`,
    wallet: world.wallet,
    market: world.marketAddress,
    reserve: world.address(reserve),
    key: { tag, id, seed1, seed2 },
    amount: `${amount}`,
    accounts: world.chain.toJson(new LendingWorld().chain),
    expected: instructionsJson(KaminoAction.actionToIxs(built)),
  };
}

/** The accounts that are the same in every case. */
/** Accounts of every case. */
export const base = lendingBase;

export async function sequences(): Promise<Json[]> {
  const cases: Json[] = [];
  for (const each of lendingCases) cases.push(await lendingCase(each));
  return cases;
}
