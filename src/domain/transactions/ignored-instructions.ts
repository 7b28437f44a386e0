import type { Address } from '@solana/kit';
import { knownInstructions } from '../../programs/instructions.ts';
import { EVENT_TAG } from '../../programs/layout/event.ts';
import type { ProgramIds } from '../../programs/program-ids.ts';

/** Instructions that change no position and that the gateway never decodes: discriminator (hex) by name. */
export const IGNORED: Readonly<Record<keyof ProgramIds, Readonly<Record<string, string>>>> = {
  klend: {
    deposit_reserve_liquidity: 'a9c91e7e06cd6644',
    redeem_reserve_collateral: 'ea75b57db98edc1d',
    set_obligation_order: '5101639cd3534e2e',
    withdraw_referrer_fees: 'ab7679c9e98c17e4',
    redeem_fees: 'd727b429ad2ef8dc',
  },
  kvault: {
    update_reserve_allocation: '0536d5704be87525',
    withdraw_pending_fees: '83c2c88caff4d9b7',
    give_up_pending_fees: 'b1c878866ed99351',
  },
  farms: {
    refresh_farm: 'd6838ab790c2ac2a',
    refresh_user_state: '01870c3ef38c4d6c',
    set_stake_delegated: '49abb84b1e38c6df',
  },
};

/** Returns a predicate for platform instructions that never produce events. */
export function ignoredInstructions(ids: ProgramIds): (program: Address, start: string) => boolean {
  const known = knownInstructions(ids);
  const starts = new Map<Address, Set<string>>();
  for (const name of ['klend', 'kvault', 'farms'] as const) {
    const described = (known.get(ids[name]) ?? []).map(({ discriminator }) =>
      Buffer.from(discriminator).toString('hex'),
    );
    starts.set(ids[name], new Set([EVENT_TAG, ...described, ...Object.values(IGNORED[name])]));
  }
  return (program, start) => starts.get(program)?.has(start) ?? false;
}
