import type { AccountPage } from '../accounts/account-page.ts';
import type { DeliveredMoment } from './account-source.ts';
import type { ViewMoment } from './view.ts';

/** The slots and time of a View's accounts. */
export type ReadMoment = Pick<
  ViewMoment,
  'slot' | 'timestamp' | 'slotMin' | 'slotMax' | 'slotWhole' | 'torn'
>;

type PreviousMoment = Pick<ViewMoment, 'slot' | 'timestamp' | 'slotWhole'>;

/** The moment of a View of what was read since the previous one; `isWhole` when everything was. */
export function momentOfPages(
  pages: readonly AccountPage[],
  isWhole: boolean,
  previous: PreviousMoment,
): ReadMoment {
  const slots = pages.map((page) => page.slot);
  const slotMin = slots.reduce((a, b) => (a < b ? a : b), slots[0] ?? previous.slot);
  const newest = pages.reduce<AccountPage | undefined>(
    (a, b) => (a !== undefined && a.clock.slot >= b.clock.slot ? a : b),
    undefined,
  );
  // A View's slot and time never go back.
  const isLater = newest !== undefined && newest.clock.slot >= previous.slot;
  return {
    slot: isLater ? newest.clock.slot : previous.slot,
    timestamp: isLater ? newest.clock.unixTimestamp : previous.timestamp,
    slotMin,
    slotMax: slots.reduce((a, b) => (a > b ? a : b), slots[0] ?? previous.slot),
    slotWhole: isWhole ? slotMin : previous.slotWhole,
    torn: pages.some((page) => page.torn),
  };
}

/** The moment of a View of which a stream has delivered every account. */
export function momentOfDelivered({ slot, unixTimestamp }: DeliveredMoment): ReadMoment {
  return { slot, timestamp: unixTimestamp, slotMin: slot, slotMax: slot, slotWhole: slot, torn: false };
}
