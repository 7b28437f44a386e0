import { refreshReservesBatch as layout } from '@sluice/protocol/klend/setup-instructions';
import { ANCHOR_ERRORS, anchorInstruction, ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import { LENDING } from './lending-errors.ts';
import { checkNoEmergency, loadMarket } from './market.ts';
import { refreshWithOracles } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';

/** Compute units of one reserve, with and without its price. */
const UNITS = 22_000;
const UNITS_WITHOUT_PRICE = 9_000;

/** Refreshes the reserves among the remaining accounts. The vault program calls it without oracles. */
export const refreshReservesBatch = anchorInstruction(layout, 2_000, ({ invocation, args, remaining }) => {
  const { program, clock, log } = invocation;
  const queue = [...remaining];
  const next = (): InstructionAccount => {
    const account = queue.shift();
    if (account === undefined) throw customError(LENDING.invalidAccountInput);
    return account;
  };
  const nextOracle = () => {
    const oracle = next();
    return oracle.address === program ? null : oracle;
  };
  while (queue.length > 0) {
    invocation.consume(args.skipPriceUpdates ? UNITS_WITHOUT_PRICE : UNITS);
    const reserveAccount = next();
    const marketAccount = next();
    const reserve = ReserveState.load(reserveAccount);
    ensure(reserveAccount.isWritable, ANCHOR_ERRORS.accountNotMutable);
    ensure(reserve.data.lendingMarket === marketAccount.address, LENDING.invalidAccountInput);
    const market = loadMarket(marketAccount);
    checkNoEmergency(market);
    const oracles = args.skipPriceUpdates
      ? null
      : { pyth: nextOracle(), switchboard: nextOracle(), switchboardTwap: nextOracle(), scope: nextOracle() };
    refreshWithOracles(reserve, market, oracles, clock, log);
  }
});
