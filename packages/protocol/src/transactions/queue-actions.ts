import {
  cancelWithdrawTicket,
  enqueueToWithdraw,
  recoverInvalidTicketCollateral,
  withdrawQueuedLiquidity,
} from '../klend/withdraw-queue-instructions.ts';
import type { Action, CallContext, Changes } from './call-context.ts';
import { instructionReader } from './instruction-reader.ts';

/** `progressCallbackType` of a ticket that a vault owns. */
const VAULT_CALLBACK = 1;

/**
 * Instructions of withdraw queues. A ticket does not name its origin, so the event of an entry takes it from the
 * instruction that paid the collateral tokens out.
 */
export const QUEUE_ACTIONS: readonly Action[] = [
  instructionReader(enqueueToWithdraw, ({ accounts, args }, context: CallContext): Changes => {
    const { owner, reserve, lendingMarket: market, withdrawTicket: ticket } = accounts;
    const { userSourceCollateralTa, ownerQueuedCollateralVault } = accounts;
    const collateral = context.flows.sent(userSourceCollateralTa, ownerQueuedCollateralVault);
    if (collateral === 0n) return {};
    const origin = context.releaseTo(userSourceCollateralTa);
    const ownVault =
      args.progressCallbackType === VAULT_CALLBACK ? accounts.progressCallbackCustomAccount0 : null;
    return {
      queue: [
        {
          kind: 'enqueue',
          ticket,
          reserve,
          market,
          wallet: owner,
          signer: origin?.signer ?? owner,
          collateral,
          liquidity: null,
          obligation: origin?.obligation ?? null,
          vault: origin?.vault ?? ownVault,
        },
      ],
    };
  }),
  // Moves nothing when it closes an empty ticket, and when it skips one whose destination cannot be paid.
  instructionReader(withdrawQueuedLiquidity, ({ accounts }, { flows }: CallContext): Changes => {
    const { payer: signer, reserve, lendingMarket: market, withdrawTicket: ticket } = accounts;
    const collateral = flows.sent(accounts.ownerQueuedCollateralVault, null);
    const liquidity = flows.received(accounts.reserveLiquiditySupply, accounts.userDestinationLiquidity);
    const place = { ticket, reserve, market, wallet: accounts.withdrawTicketOwner, signer };
    return { queue: [{ kind: 'withdraw', ...place, collateral, liquidity, ...NO_ORIGIN }] };
  }),
  instructionReader(cancelWithdrawTicket, ({ accounts }, { flows }: CallContext): Changes => {
    const { owner, reserve, lendingMarket: market, withdrawTicket: ticket } = accounts;
    const collateral = flows.received(
      accounts.ownerQueuedCollateralVault,
      accounts.userDestinationCollateral,
    );
    if (collateral === 0n) return {};
    const place = { ticket, reserve, market, wallet: owner, signer: owner };
    return { queue: [{ kind: 'cancel', ...place, collateral, liquidity: null, ...NO_ORIGIN }] };
  }),
  instructionReader(recoverInvalidTicketCollateral, ({ accounts }, { flows }: CallContext): Changes => {
    const { payer: signer, reserve, lendingMarket: market, withdrawTicket: ticket } = accounts;
    const collateral = flows.received(accounts.ownerQueuedCollateralVault, accounts.userSourceCollateral);
    if (collateral === 0n) return {};
    const place = { ticket, reserve, market, wallet: accounts.withdrawTicketOwner, signer };
    return { queue: [{ kind: 'recover', ...place, collateral, liquidity: null, ...NO_ORIGIN }] };
  }),
];

const NO_ORIGIN = { obligation: null, vault: null } as const;
