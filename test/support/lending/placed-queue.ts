import { withdrawTicket as ticketAddress } from '@sluice/protocol/klend/addresses';
import { reserve } from '@sluice/protocol/klend/reserve';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import {
  accountIn,
  type TestChain,
  withFields,
} from '../../../packages/localnet/test/support/chain/test-world.ts';
import { named } from '../../../packages/protocol/test/support/transaction-maker.ts';

const { klend } = MAINNET_PROGRAMS;
const UNIT = 1_000_000n;
const LAMPORTS = 4_510_080n;
const NO_INTEREST = Array.from({ length: 11 }, (_, i) => ({
  utilizationRateBps: i === 0 ? 0 : 10_000,
  borrowRateBps: 0,
}));

export const DESTINATION = named('destination');
/** 2026-09-21T14:13:20Z */
export const ISSUED_AT = 1_790_000_000n;

export interface PlacedTicket {
  readonly number: bigint;
  readonly owner: Address;
  /** Whole collateral tokens. */
  readonly collateral: bigint;
  readonly invalid?: boolean;
}

export interface PlacedQueue {
  /** Whole tokens that are not lent, of 3,000 supplied. */
  readonly available: bigint;
  /** Number of the next ticket to be paid, and of the next one to be issued. */
  readonly next: bigint;
  readonly issued: bigint;
  readonly tickets: readonly PlacedTicket[];
}

/**
 * Puts a queue into the USDC reserve of the examples: 1.5 USDC for each of 2,000 collateral tokens, and no interest. Tickets
 * from the next one on are in the queue.
 */
export function placeQueue(chain: TestChain, { available, next, issued, tickets }: PlacedQueue): Address {
  const { reserve: address } = chain.addresses;
  const queued = tickets.filter(({ number }) => number >= next);
  chain.place(
    address,
    withFields(reserve, accountIn(chain, address), {
      collateral: { mintTotalSupply: 2_000n * UNIT },
      liquidity: {
        totalAvailableAmount: available * UNIT,
        borrowedAmountSf: ((3_000n - available) * UNIT) << 60n,
        accumulatedProtocolFeesSf: 0n,
        accumulatedReferrerFeesSf: 0n,
        pendingReferrerFeesSf: 0n,
        rewardsAmountAvailable: 0n,
      },
      config: { hostFixedInterestRateBps: 0, borrowRateCurve: { points: NO_INTEREST } },
      withdrawQueue: {
        queuedCollateralAmount: queued.reduce((sum, { collateral }) => sum + collateral * UNIT, 0n),
        nextIssuedTicketSequenceNumber: issued,
        nextWithdrawableTicketSequenceNumber: next,
      },
    }),
  );
  for (const ticket of tickets) placeTicket(chain, address, ticket);
  return address;
}

export const ticketAt = (reserveAddress: Address, number: bigint): Address =>
  ticketAddress(klend, reserveAddress, number).address;

function placeTicket(chain: TestChain, address: Address, ticket: PlacedTicket): void {
  const data = withdrawTicket.encode({
    sequenceNumber: ticket.number,
    owner: ticket.owner,
    reserve: address,
    userDestinationLiquidityTa: DESTINATION,
    queuedCollateralAmount: ticket.collateral * UNIT,
    createdAtTimestamp: ISSUED_AT,
    invalid: ticket.invalid === true ? 1 : 0,
  });
  chain.place(ticketAt(address, ticket.number), { ...accountIn(chain, address), data, lamports: LAMPORTS });
}
