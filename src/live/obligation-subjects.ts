import type { Address } from '@solana/kit';
import type { View } from '../chain/view.ts';
import { isSluiceError } from '../errors/sluice-error.ts';
import type { Rational } from '../numeric/rational.ts';
import { health, valueObligation } from '../services/obligations.ts';
import { findRecord, type ObligationRecord, type Session } from '../services/records.ts';
import { isObligationActedUpon } from './account-changes.ts';
import { type Found, isFound, isSameAbsence } from './found.ts';
import type { ChangeReason, Subject } from './update.ts';
import { groundChange, obligationFooting } from './value-changes.ts';

/** An obligation beside a View. */
export interface SeenObligation {
  readonly address: Address;
  readonly view: View;
  readonly found: Found<ObligationRecord>;
  /** Whether its health factor is below the threshold that is watched; null without a threshold or a health factor. */
  readonly below: boolean | null;
}

/** Obligations are not in the View: with each View they are read once, together with whatever else is read then. */
export function obligationsSubject(addresses: readonly Address[]): Subject<SeenObligation> {
  return {
    async read(session) {
      const seen = await Promise.all(
        addresses.map(
          async (address) =>
            [
              address,
              { address, view: session.view, found: await found(session, address), below: null },
            ] as const,
        ),
      );
      return new Map(seen);
    },
    change: obligationChange,
  };
}

/** The same for one obligation, heard of only when its health factor comes to the other side of a threshold. */
export function healthSubject(address: Address, threshold: Rational): Subject<SeenObligation> {
  return {
    async read(session) {
      const obligation = await found(session, address);
      const factor = isFound(obligation) ? health(valueObligation(session, obligation)) : null;
      const below = factor === null ? null : factor.compare(threshold) < 0;
      return new Map([[address, { address, view: session.view, found: obligation, below }]]);
    },
    change(before, after) {
      // Without debt there is no health factor, and nothing to be below.
      if ((before.below ?? false) === (after.below ?? false)) return null;
      return obligationChange(before, after) ?? 'ACCRUAL';
    },
  };
}

async function found(session: Session, address: Address): Promise<Found<ObligationRecord>> {
  try {
    return await findRecord(session, 'obligation', address);
  } catch (error) {
    // That it could not be read is no state of the obligation; that its bytes are wrong is one.
    if (isSluiceError(error) && error.code.startsWith('ACCOUNT_')) return error;
    throw error;
  }
}

function obligationChange(before: SeenObligation, after: SeenObligation): ChangeReason | null {
  const [then, now] = [before.found, after.found];
  if (!isFound(then) || !isFound(now)) return isSameAbsence(then, now) ? null : 'ACCOUNT';
  if (isObligationActedUpon(then.value, now.value)) return 'ACCOUNT';
  return groundChange(before.view, after.view, obligationFooting(now.value));
}
