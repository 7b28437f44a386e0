import type { Address } from '@solana/kit';
import { describedInstructions } from '../described-instructions.ts';
import { executeObligationOrder } from '../klend/order-instructions.ts';
import { EVENT_TAG } from '../layout/event.ts';
import type { ProgramIds } from '../program-ids.ts';

/** Instructions without a layout that change no position: discriminator (hex) by name. */
export const IGNORED: Readonly<Record<keyof ProgramIds, Readonly<Record<string, string>>>> = {
  klend: { redeem_fees: 'd727b429ad2ef8dc' },
  kvault: {},
  farms: {},
};

/**
 * Has a layout and changes positions, but no event describes it: it moves debt and collateral of an obligation at once, in
 * either direction.
 */
const NOT_IGNORED: readonly string[] = [executeObligationOrder.name];

/** Returns a predicate for platform instructions that never produce events. */
export function ignoredInstructions(ids: ProgramIds): (program: Address, start: string) => boolean {
  const known = describedInstructions(ids);
  const starts = new Map<Address, Set<string>>();
  for (const name of ['klend', 'kvault', 'farms'] as const) {
    const described = (known.get(ids[name]) ?? [])
      .filter((layout) => !NOT_IGNORED.includes(layout.name))
      .map(({ discriminator }) => Buffer.from(discriminator).toString('hex'));
    starts.set(ids[name], new Set([EVENT_TAG, ...described, ...Object.values(IGNORED[name])]));
  }
  return (program, start) => starts.get(program)?.has(start) ?? false;
}
