import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import {
  abortObligationOwnershipTransfer,
  acceptObligationOwnership,
  initiateObligationOwnershipTransfer,
} from '@sluice/protocol/klend/obligation-instructions';
import { INSTRUCTIONS_SYSVAR, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import {
  type OwnershipFields,
  type StoredBorrowOrders,
  transferNumber,
} from '../../domain/ownership-transfer.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { type Action, type BuiltStep, once, type StepContext } from '../action.ts';
import { type BuiltInstruction, instruction } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { expectedObligationReads } from '../lending/expected-reads.ts';
import { DEFAULT_OBLIGATION, type ObligationChoice } from '../lending/obligation-choice.ts';
import { obligationReserves } from '../lending/request.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { shortened } from '../shortened.ts';
import type { BuildWarning } from '../warnings.ts';
import {
  firstOwnershipReads,
  type OwnershipAccounts,
  type OwnershipRequest,
  ownershipAccounts,
  secondOwnershipReads,
} from './accounts.ts';
import { withoutExpired } from './borrow-orders.ts';
import { acceptanceWarnings, initiationWarnings, ownershipPreview } from './preview.ts';
import { type CheckContext, checkAbort, checkAcceptance, checkInitiation } from './refusals.ts';

/** Kinds of action in this folder, with their descriptions. */
export const OWNERSHIP_ACTIONS = {
  INITIATE_OBLIGATION_TRANSFER: 'Offer an obligation to another wallet.',
  ABORT_OBLIGATION_TRANSFER: 'Withdraw the offer of an obligation before it is approved.',
  ACCEPT_OBLIGATION: 'Take over an obligation that was offered to the wallet.',
} as const;

interface OwnedObligation {
  /** The owner. */
  readonly wallet: Address;
  readonly market: Address;
  /** By default the vanilla obligation with id 0. */
  readonly obligation?: ObligationChoice;
}

export interface InitiateTransferRequest extends OwnedObligation {
  readonly newOwner: Address;
}

export interface AcceptObligationRequest {
  /** The new owner. */
  readonly wallet: Address;
  readonly obligation: Address;
}

/** The version in which orders of an obligation stand in the way of a transfer. */
const REFUSES_ORDERS_VERSION = '1.26.0';

/**
 * The first step of a transfer: the owner names the new one.
 *
 * @example
 * initiateTransferAction(known, { wallet, market, newOwner });
 */
export function initiateTransferAction(known: KnownAccounts, request: InitiateTransferRequest): Action {
  const { newOwner } = request;
  return ownershipAction(known, ownedRequest(known, request), 'INITIATE_OBLIGATION_TRANSFER', {
    check: (accounts, context) => checkInitiation(accounts, newOwner, context),
    instruction: ({ request: { programs, wallet: owner }, obligationAddress: obligation }) =>
      instruction(
        initiateObligationOwnershipTransfer,
        programs.klend,
        { owner, obligation, instructionSysvarAccount: INSTRUCTIONS_SYSVAR },
        { newOwner },
        { summary: `Offer obligation ${shortened(obligation)} to ${newOwner}` },
      ),
    fields: {
      ownershipTransferState: transferNumber('INITIATED'),
      pendingOwner: newOwner,
    },
    clearsOrders: true,
    warnings: (accounts) => initiationWarnings(accounts, newOwner),
  });
}

/**
 * The end of a transfer that is not approved yet, by the owner.
 *
 * @example
 * abortTransferAction(known, { wallet, market });
 */
export function abortTransferAction(known: KnownAccounts, request: OwnedObligation): Action {
  return ownershipAction(known, ownedRequest(known, request), 'ABORT_OBLIGATION_TRANSFER', {
    check: checkAbort,
    instruction: ({ request: { programs, wallet: owner }, obligationAddress: obligation }) =>
      instruction(
        abortObligationOwnershipTransfer,
        programs.klend,
        { owner, obligation, instructionSysvarAccount: INSTRUCTIONS_SYSVAR },
        {},
        { summary: `Withdraw the offer of obligation ${shortened(obligation)}` },
      ),
    fields: NO_TRANSFER,
    clearsOrders: false,
    warnings: () => [],
  });
}

/**
 * The last step of a transfer: the new owner takes the obligation over.
 *
 * @example
 * acceptObligationAction(known, { wallet: newOwner, obligation });
 */
export function acceptObligationAction(
  known: KnownAccounts,
  { wallet, obligation: offered }: AcceptObligationRequest,
): Action {
  const request: OwnershipRequest = { programs: known.programs, wallet, place: { offered } };
  return ownershipAction(known, request, 'ACCEPT_OBLIGATION', {
    check: checkAcceptance,
    instruction: ({ request: { programs }, obligationAddress: obligation }) =>
      instruction(
        acceptObligationOwnership,
        programs.klend,
        { pendingOwner: wallet, obligation, instructionSysvarAccount: INSTRUCTIONS_SYSVAR },
        {},
        { summary: `Take over obligation ${shortened(obligation)}` },
      ),
    fields: { ...NO_TRANSFER, owner: wallet },
    clearsOrders: true,
    warnings: acceptanceWarnings,
  });
}

const NO_TRANSFER = { ownershipTransferState: 0, pendingOwner: NO_ADDRESS };

/** A step: its refusals, its instruction and what it changes. */
interface OwnershipStep {
  readonly check: (accounts: OwnershipAccounts, context: CheckContext) => void;
  readonly instruction: (accounts: OwnershipAccounts) => BuiltInstruction;
  readonly fields: Partial<OwnershipFields>;
  /** Whether the program removes borrow orders whose time is over. */
  readonly clearsOrders: boolean;
  readonly warnings: (accounts: OwnershipAccounts) => BuildWarning[];
}

function ownedRequest(
  { programs }: KnownAccounts,
  { wallet, market, obligation = DEFAULT_OBLIGATION }: OwnedObligation,
): OwnershipRequest {
  return { programs, wallet, place: { market, obligation } };
}

function ownershipAction(
  known: KnownAccounts,
  request: OwnershipRequest,
  kind: keyof typeof OWNERSHIP_ACTIONS,
  step: OwnershipStep,
): Action {
  const { wallet, programs, place } = request;
  const refusesOrders = known.runsAtLeast('klend', REFUSES_ORDERS_VERSION) === true;
  return {
    wallet,
    named: firstOwnershipReads(request),
    expected:
      'offered' in place
        ? (known.lastReferences(place.offered) ?? [])
        : expectedObligationReads(known, { programs, wallet, ...place }),
    needed: (read) => secondOwnershipReads(request, read),
    build(read, at): BuiltStep {
      const accounts = ownershipAccounts(request, read);
      const { obligation, obligationAddress } = accounts;
      const { timestamp } = at.moment;
      step.check(accounts, { timestamp, refusesOrders });
      const { owner, pendingOwner, ownershipTransferState } = obligation;
      const orders = step.clearsOrders ? withoutExpired(obligation, timestamp) : null;
      const after = { owner, pendingOwner, ownershipTransferState, ...step.fields };
      return {
        kind,
        action: {
          // Nothing is paid or received.
          amount: 0n,
          all: false,
          wrappedSol: null,
          instructions: [{ ...step.instruction(accounts), alone: true }],
        },
        tables: [],
        walletTokens: [],
        preview: once(() => ownershipPreview(accounts, after, step.warnings(accounts))),
        after: once(() => ownershipChanges(accounts, { ...after, ...orders }, at, read)),
        fresh: at.fresh,
        references: { obligation: obligationAddress, addresses: obligationReserves(obligation) },
      };
    },
  };
}

/** The obligation as the step leaves it. */
function ownershipChanges(
  { obligationAddress }: OwnershipAccounts,
  fields: OwnershipFields & Partial<StoredBorrowOrders>,
  { payer }: StepContext,
  read: ReadAccounts,
): AccountChanges {
  const changes = new ChangedAccounts(read, payer);
  changes.patch(obligationAddress, obligationLayout, fields);
  return changes.changes;
}
