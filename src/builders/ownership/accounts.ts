import { type Obligation, obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { type Reserve, reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { type ProgramIds, presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { activeBorrows, activeDeposits } from '../../domain/obligation.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { ObligationChoice } from '../lending/obligation-choice.ts';
import { chosenAddress } from '../lending/obligation-choice.ts';
import { existingObligation, marketAt, obligationReserves } from '../lending/request.ts';
import { distinct, namedAccount, type ReadAccounts, readableAccount } from '../read-accounts.ts';

/** An obligation of the wallet in a market, or any by its address. */
export type OwnershipPlace =
  | { readonly market: Address; readonly obligation: ObligationChoice }
  | { readonly offered: Address };

/** A step of a transfer, before any account is read. */
export interface OwnershipRequest {
  readonly programs: ProgramIds;
  /** The owner, or the new owner of an obligation offered to it; a signer. */
  readonly wallet: Address;
  readonly place: OwnershipPlace;
}

/** All inputs of a step of a transfer. */
export interface OwnershipAccounts {
  readonly request: OwnershipRequest;
  readonly obligationAddress: Address;
  readonly obligation: Obligation;
  /** The obligation's reserves. The program does not need them, so one that cannot be read is missing. */
  readonly reserves: ReadonlyMap<Address, Reserve>;
}

/** The address of the obligation, whether or not it exists. */
export function obligationOf({ programs, wallet, place }: OwnershipRequest): Address {
  return 'offered' in place ? place.offered : chosenAddress(programs, wallet, place.market, place.obligation);
}

/** Accounts to read in the first round. */
export function firstOwnershipReads(request: OwnershipRequest): Address[] {
  const { wallet, place } = request;
  return distinct([obligationOf(request), wallet, 'offered' in place ? null : place.market]);
}

/** Accounts to read in the second round: the reserves of the obligation. */
export const secondOwnershipReads = (request: OwnershipRequest, read: ReadAccounts): Address[] =>
  obligationReserves(obligationAt(request, read));

/** Decodes the accounts. */
export function ownershipAccounts(request: OwnershipRequest, read: ReadAccounts): OwnershipAccounts {
  const { klend } = request.programs;
  const obligation = obligationAt(request, read);
  const reserves = new Map(
    obligationReserves(obligation).flatMap((address) => {
      const account = readableAccount(read, address, reserveLayout, klend);
      return account === null ? [] : [[address, account] as const];
    }),
  );
  return { request, obligationAddress: obligationOf(request), obligation, reserves };
}

function obligationAt(request: OwnershipRequest, read: ReadAccounts): Obligation {
  const { programs, wallet, place } = request;
  if ('offered' in place) {
    return namedAccount(
      read,
      place.offered,
      obligationLayout,
      programs.klend,
      (cause) => new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: place.offered }, { cause }),
    );
  }
  marketAt(read, place.market, programs.klend);
  return existingObligation({ programs, wallet, ...place }, read).obligation;
}

/** Whether a position of the obligation may have a stake in a farm of its reserve. */
export function hasFarms({ obligation, reserves }: OwnershipAccounts): boolean {
  const isFarmed = (address: Address, side: 'farmCollateral' | 'farmDebt') => {
    const account = reserves.get(address);
    return account !== undefined && presentAddress(account[side]) !== null;
  };
  return (
    activeDeposits(obligation).some(({ depositReserve }) => isFarmed(depositReserve, 'farmCollateral')) ||
    activeBorrows(obligation).some(({ borrowReserve }) => isFarmed(borrowReserve, 'farmDebt'))
  );
}
