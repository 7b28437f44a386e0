import type { LoanBuild } from '../leverage/build.ts';
import { obligationPreview, positionStates, worstCase } from '../leverage/position.ts';
import type { Preview } from '../preview.ts';
import { type PositionKind, previewPosition } from '../preview-position.ts';
import type { ReadAccounts } from '../read-accounts.ts';

/** Figures of a swap of a debt or a deposit, from the accounts before it, which its sequence then changes. */
export function positionSwapPreview(build: LoanBuild, kind: PositionKind, read: ReadAccounts): Preview {
  const states = positionStates(build, read);
  const { sides, at } = build.accounts;
  const positions = sides.map((side) => previewPosition(kind, side, states.before, states.after, at.moment));
  return {
    ...obligationPreview(build, states, read),
    positions,
    worstCase: worstCase(build, states.after, positions[1]?.liquidationPriceUsd.after ?? null),
  };
}
