import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { isInEmergency, reserveStatus } from './reserve.ts';

/** A state of market or reserve in which the program rejects an action on the withdraw queue, whoever acts. */
export type QueueBlock = 'MARKET_EMERGENCY' | 'RESERVE_EMERGENCY' | 'RESERVE_OBSOLETE' | 'DISABLED';

/** Why the program issues no ticket; null when it does. */
export function issuanceBlock(market: LendingMarket, reserve: Reserve): QueueBlock | null {
  if (market.emergencyMode !== 0) return 'MARKET_EMERGENCY';
  if (reserveStatus(reserve) === 'OBSOLETE') return 'RESERVE_OBSOLETE';
  return emergencyOr(market.withdrawTicketIssuanceEnabled, market, reserve);
}

/** Why the program pays no ticket; null when it does. An obsolete reserve pays. */
export function paymentBlock(market: LendingMarket, reserve: Reserve): QueueBlock | null {
  return emergencyOr(market.withdrawTicketRedemptionEnabled, market, reserve);
}

/** Why the program cancels no ticket; null when it does. An obsolete reserve cancels. */
export function cancellationBlock(market: LendingMarket, reserve: Reserve): QueueBlock | null {
  return emergencyOr(market.withdrawTicketCancellationEnabled, market, reserve);
}

function emergencyOr(enabled: number, market: LendingMarket, reserve: Reserve): QueueBlock | null {
  if (market.emergencyMode !== 0) return 'MARKET_EMERGENCY';
  if (isInEmergency(reserve)) return 'RESERVE_EMERGENCY';
  return enabled === 0 ? 'DISABLED' : null;
}
