import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { derive } from '@sluice/protocol/layout/pda';
import { wholeScaled } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { putAddresses } from './address-bytes.ts';
import type { ReferrerTokenState, Reserve, Wallet } from './model.ts';
import type { World } from './world.ts';

const { klend } = MAINNET_PROGRAMS;

export function referrerStateAddress(referrer: Wallet, reserve: Reserve): { address: Address; bump: number } {
  return derive(klend, 'referrer_acc', addressBytes(referrer.address), addressBytes(reserve.address));
}

/** The referrer's state for a reserve, created if needed; the second value says whether it was. */
export function referrerStateOf(
  world: World,
  referrer: Wallet,
  reserve: Reserve,
): [ReferrerTokenState, boolean] {
  const { address, bump } = referrerStateAddress(referrer, reserve);
  const known = world.referrerStates.get(address);
  if (known !== undefined) return [known, false];
  const state: ReferrerTokenState = { address, unclaimedSf: 0n, cumulativeSf: 0n };
  world.referrerStates.set(address, state);
  world.store.add({
    address,
    owner: klend,
    encode() {
      const data = referrerTokenState.encode({
        amountUnclaimedSf: state.unclaimedSf,
        amountCumulativeSf: state.cumulativeSf,
        bump: BigInt(bump),
      });
      putAddresses(data, [
        [referrerTokenState.offsetOf('referrer'), referrer.address],
        [referrerTokenState.offsetOf('mint'), reserve.token.mint.address],
      ]);
      return data;
    },
  });
  return [state, true];
}

/** Adds to what a referrer can claim in a reserve (base units). True the first time. */
export function creditReferrer(world: World, referrer: Wallet, reserve: Reserve, amount: bigint): boolean {
  const [state, first] = referrerStateOf(world, referrer, reserve);
  reserve.referrerFeesSf += wholeScaled(amount);
  state.unclaimedSf += wholeScaled(amount);
  state.cumulativeSf += wholeScaled(amount);
  world.store.touch(state.address);
  return first;
}
