import { DEFAULT_OBLIGATION } from '../../../src/builders/lending/obligation-choice.ts';
import { enqueueAction, payTicketAction } from '../../../src/builders/queue/action.ts';
import type { BuildWarning } from '../../../src/builders/warnings.ts';
import { NOTHING_KNOWN, stepOn } from '../localnet/built-steps.ts';
import { OWNERS, PAYER, QueueBench, RESERVE } from '../localnet/queue-bench.ts';
import type { Trigger } from './built-warnings.ts';
import { MARKET } from './lending-accounts.ts';

const [OWNER] = OWNERS;
const PLACE = { market: MARKET, reserve: RESERVE };

/** An entry into the queue with a deposit of an obligation. */
function enqueueDeposit(payer = OWNER): readonly BuildWarning[] {
  const bench = new QueueBench(undefined, {}, { deposits: [[0, 1_000_000_000n]] });
  const amount = { baseUnits: 50_000_000n };
  const action = enqueueAction(NOTHING_KNOWN, {
    wallet: OWNER,
    ...PLACE,
    amount,
    obligation: DEFAULT_OBLIGATION,
  });
  return stepOn(bench, action, payer).preview().warnings;
}

/** The payment of a ticket whose destination its owner has let somebody else spend. */
function paySpoilt(): readonly BuildWarning[] {
  const bench = new QueueBench();
  bench.enqueue(OWNER, 4_000_000n);
  bench.changeToken(bench.liquidityOf(OWNER), { delegate: PAYER });
  return stepOn(bench, payTicketAction(NOTHING_KNOWN, { wallet: PAYER, ...PLACE })).preview().warnings;
}

export const QUEUE_TRIGGERS: readonly Trigger[] = [
  ['QUEUE_NOT_NEEDED', 'a queued deposit of a reserve with liquidity', () => enqueueDeposit()],
  ['RENT_FROM_WALLET', 'a ticket beside another fee payer', () => enqueueDeposit(PAYER)],
  ['TICKET_UNPAYABLE', 'a ticket with a delegated destination', paySpoilt],
];
