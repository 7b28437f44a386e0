import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { U64_MOST } from '../../act/tasks/curated-vault.ts';
import type { TargetReserve } from '../../act/vaults/targets.ts';
import type { WeighedVault } from '../../act/vaults/weights-form.tsx';
import { Loading } from '../../ui/states.tsx';
import { allocationNames } from './allocation.ts';
import type { VaultDetail } from './vault-documents.ts';
import '../../act/act.css';

/** Few visitors open it. */
const WeightsForm = lazy(() => import('../../act/vaults/weights-form.tsx'));

/** Other weights for the vault: the moves that reach them, and what they would have earned. */
export function WeightsSection({ vault }: { readonly vault: VaultDetail }): ReactNode {
  const heading = useId();
  const [isOpen, open] = useState(false);
  return (
    <section className="panel act wide" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>Try other weights</h2>
        <button type="button" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? 'Close' : 'Choose weights'}
        </button>
      </header>
      <div className="content">
        <p>
          See which moves would reach other weights, what stops them, and what the weights would have earned.
        </p>
        {isOpen && (
          <Suspense fallback={<Loading what="the form" />}>
            <WeightsForm vault={weighedVault(vault)} />
          </Suspense>
        )}
      </div>
    </section>
  );
}

function weighedVault({ address, token, state, allocations }: VaultDetail): WeighedVault {
  const names = allocationNames(allocations);
  return {
    address,
    admin: state.vaultAdminAuthority,
    allocationAdmin: state.allocationAdmin,
    token,
    unallocatedWeight: state.unallocatedWeight,
    reserves: allocations.map(
      ({ reserveAddress, targetWeight, cap }, index): TargetReserve => ({
        address: reserveAddress,
        name: names[index] ?? reserveAddress,
        present: { weight: targetWeight, cap: isCap(cap.baseUnits) ? cap.amount : null },
      }),
    ),
  };
}

/** The largest number means that there is no cap. */
const isCap = (units: string): boolean => BigInt(units) !== U64_MOST;
