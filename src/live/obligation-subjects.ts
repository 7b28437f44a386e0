import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../chain/view/view.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import { health, valueObligation } from '../services/obligations/obligations.ts';
import { findRecord, type ObligationRecord } from '../services/request/records.ts';
import type { Session } from '../services/request/session.ts';
import { isObligationModified } from './account-changes.ts';
import { isFound, isSameAbsence, type LookupResult } from './lookup-result.ts';
import type { ChangeReason, Subject } from './update.ts';
import { obligationDependencies, valueChange } from './value-changes.ts';

/** An obligation, read at the time of a View. */
export interface ObligationState {
  readonly address: Address;
  readonly view: View;
  readonly found: LookupResult<ObligationRecord>;
  /** Whether the health factor is below the watched threshold; null without a threshold or a health factor. */
  readonly isBelow: boolean | null;
}

/** Once per View: from its positions, or read, batched with all other reads of that moment. */
export function obligationsSubject(addresses: readonly Address[]): Subject<ObligationState> {
  return {
    async read(session) {
      const seen = await Promise.all(
        addresses.map(
          async (address) =>
            [
              address,
              { address, view: session.view, found: await findObligation(session, address), isBelow: null },
            ] as const,
        ),
      );
      return new Map(seen);
    },
    change: obligationChange,
  };
}

/** One obligation that changes only when its health factor crosses a threshold. */
export function healthSubject(address: Address, threshold: Rational): Subject<ObligationState> {
  return {
    async read(session) {
      const obligation = await findObligation(session, address);
      const factor = isFound(obligation) ? health(valueObligation(session, obligation)) : null;
      // Compared as published, so that `below` agrees with the number beside it.
      const isBelow = factor === null ? null : roundToPublished(factor).compare(threshold) < 0;
      return new Map([[address, { address, view: session.view, found: obligation, isBelow }]]);
    },
    change(before, after) {
      // Without debt there is no health factor: it counts as above the threshold.
      if ((before.isBelow ?? false) === (after.isBelow ?? false)) return null;
      return obligationChange(before, after) ?? 'ACCRUAL';
    },
  };
}

async function findObligation(session: Session, address: Address): Promise<LookupResult<ObligationRecord>> {
  try {
    return await findRecord(session, 'obligation', address);
  } catch (error) {
    // Undecodable bytes are a state of the account; a failed read is not.
    if (isCodedError(error) && error.code.startsWith('ACCOUNT_')) return error;
    throw error;
  }
}

function obligationChange(before: ObligationState, after: ObligationState): ChangeReason | null {
  const [then, now] = [before.found, after.found];
  if (!isFound(then) || !isFound(now)) return isSameAbsence(then, now) ? null : 'ACCOUNT';
  if (isObligationModified(then.value, now.value)) return 'ACCOUNT';
  return valueChange(before.view, after.view, obligationDependencies(now.value));
}
