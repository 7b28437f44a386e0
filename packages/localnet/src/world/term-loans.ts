import { VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import type { WorldAddresses } from '../world-addresses.ts';
import { borrow } from './lending-engine.ts';
import { reserveLabelled } from './markets.ts';
import type { Market, Obligation, Reserve } from './model.ts';
import { createObligation } from './obligations.ts';
import { itemAt } from './prng.ts';
import { addQuietWallet, planSupply, quietWallet } from './quiet-wallets.ts';
import type { World } from './world.ts';
import type { WorldPlan } from './world-plan.ts';

const RUNNING = 'running term';
const DEPOSIT_USD = 2_000;
const BORROWED_USD = 500;
/** A debt of 90 days, so 70 are left. */
const RESERVE = 'USDC 90d';
const BORROWED_DAYS_AGO = 20;

export const termMarketOf = (markets: readonly Market[]): Market =>
  itemAt(
    markets,
    markets.findIndex(({ hasTerms }) => hasTerms),
  );

/** Plans a wallet with a debt whose term has not ended. */
export function planRunningTerm(world: World, plan: WorldPlan, market: Market): void {
  const obligation = createObligation(addQuietWallet(world, RUNNING), market, VANILLA_OBLIGATION);
  const reserve = reserveLabelled(market, RESERVE);
  planSupply(world, plan, obligation, reserveLabelled(market, 'SOL'), DEPOSIT_USD);
  plan.add(BORROWED_DAYS_AGO, (slot) =>
    borrow(world, obligation, reserve, plan.units(reserve.token, BORROWED_USD), slot),
  );
}

export const runningTermAddresses = (
  world: World,
  market: Market,
): Pick<WorldAddresses, 'runningTermWallet' | 'runningTermReserve'> => ({
  runningTermWallet: quietWallet(world, RUNNING),
  runningTermReserve: reserveLabelled(market, RESERVE).address,
});

/** The first vanilla loan with a debt that nobody repays early, because that costs a penalty. Its term is over. */
export function termLoanAddresses({
  obligations,
}: World): Pick<WorldAddresses, 'termWallet' | 'termObligation' | 'termMarket' | 'termReserve'> {
  for (const obligation of obligations) {
    const reserve = isPlain(obligation) ? termReserveOf(obligation) : undefined;
    if (reserve === undefined) continue;
    return {
      termWallet: obligation.owner.address,
      termObligation: obligation.address,
      termMarket: obligation.market.address,
      termReserve: reserve.address,
    };
  }
  throw new RangeError('no loan has a fixed term');
}

const isPlain = ({ key, exists }: Obligation) => exists && key.tag === 0 && key.id === 0;

function termReserveOf({ borrows }: Obligation): Reserve | undefined {
  return borrows.find((debt) => debt?.reserve.spec.earlyRepayPct !== undefined)?.reserve;
}
