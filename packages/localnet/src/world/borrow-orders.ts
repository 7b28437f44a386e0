import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { WorldAddresses } from '../world-addresses.ts';
import { reserveOf } from './markets.ts';
import type { Market } from './model.ts';
import { createObligation } from './obligations.ts';
import { addQuietWallet, planSupply, quietWallet, SUPPLIED_DAYS_AGO } from './quiet-wallets.ts';
import { timeOf } from './time.ts';
import { holdingOf } from './wallets.ts';
import type { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const { klend } = MAINNET_PROGRAMS;
const ORDERING = 'borrow order';
const DEPOSIT_USD = 2_000;
/** Tokens to borrow, at a rate that every reserve meets. */
const ORDERED = 250n;
const RATE_BPS = 100_000;
/** 2100, Unix seconds. */
const FILLABLE_UNTIL = 4_102_444_800n;

/** Plans a wallet with a borrow order, which nobody of the world fills. */
export function planBorrowOrder(world: World, plan: WorldPlan, market: Market): void {
  const wallet = addQuietWallet(world, ORDERING);
  const { token } = reserveOf(market, 'USDC');
  const [{ address: destination }] = holdingOf(world.store, wallet, token.mint);
  const obligation = createObligation(wallet, market, VANILLA_OBLIGATION);
  obligation.borrowOrder = {
    mint: token.mint.address,
    destination,
    amount: ORDERED * 10n ** BigInt(token.mint.decimals),
    maxRateBps: RATE_BPS,
    placedAt: BigInt(timeOf(plan.slotBefore(SUPPLIED_DAYS_AGO))),
    fillableUntil: FILLABLE_UNTIL,
  };
  planSupply(world, plan, obligation, reserveOf(market, 'SOL'), DEPOSIT_USD);
}

export function borrowOrderAddresses(
  world: World,
  market: Market,
): Pick<WorldAddresses, 'orderingWallet' | 'orderedObligation'> {
  const orderingWallet = quietWallet(world, ORDERING);
  const { address } = obligationAddress(klend, orderingWallet, market.address, VANILLA_OBLIGATION);
  return { orderingWallet, orderedObligation: address };
}
