import { lendingGlobalConfigAddress } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { acceptObligationAction, initiateTransferAction } from '../../../src/builders/ownership/action.ts';
import { NOTHING_KNOWN, stepOn } from '../localnet/built-steps.ts';
import { PAIR } from '../localnet/order-bench.ts';
import { NEW_OWNER, OwnershipBench } from '../localnet/ownership-bench.ts';
import type { Trigger } from './built-warnings.ts';
import { MARKET, WALLET } from './lending-accounts.ts';

const offer = (bench: OwnershipBench, newOwner = NEW_OWNER) => {
  const obligation = { address: bench.obligationAddress };
  const request = { wallet: WALLET, market: MARKET, obligation, newOwner };
  return stepOn(bench, initiateTransferAction(NOTHING_KNOWN, request)).preview().warnings;
};

function accept() {
  const bench = new OwnershipBench();
  bench.changeObligation({ ownershipTransferState: 2, pendingOwner: NEW_OWNER });
  const request = { wallet: NEW_OWNER, obligation: bench.obligationAddress };
  return stepOn(bench, acceptObligationAction(NOTHING_KNOWN, request)).preview().warnings;
}

function withOrder(): OwnershipBench {
  const bench = new OwnershipBench();
  bench.changeObligation({ obligationOrders: [{ conditionType: 1 }, {}] });
  return bench;
}

export const OWNERSHIP_TRIGGERS: readonly Trigger[] = [
  [
    'NEW_OWNER_CANNOT_ACCEPT',
    'an account of a program',
    () => offer(new OwnershipBench(), lendingGlobalConfigAddress(MAINNET_PROGRAMS.klend).address),
  ],
  ['OBLIGATION_MAY_CHANGE', 'an acceptance', accept],
  ['ORDERS_STAY', 'an obligation with a stop-loss', () => offer(withOrder())],
  [
    'REWARDS_STAY',
    'a deposit with a farm',
    () => offer(new OwnershipBench({ ...PAIR, reserves: [{ farmCollateral: true }, {}, {}] })),
  ],
];
