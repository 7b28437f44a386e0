import type { Address } from '@solana/kit';
import { derive, type ProgramDerivedAddress, seed } from '../layout/pda.ts';
import { NO_ADDRESS } from '../program-ids.ts';

/**
 * Derived addresses of the lending program. Where an account stores the address, read it from the account instead:
 * older reserves used other seeds.
 */

export const marketAuthority = (klend: Address, market: Address) => derive(klend, 'lma', seed(market));

export const reserveLiquiditySupply = (klend: Address, reserve: Address) =>
  derive(klend, 'reserve_liq_supply', seed(reserve));

export const reserveFeeVault = (klend: Address, reserve: Address) =>
  derive(klend, 'fee_receiver', seed(reserve));

export const collateralMint = (klend: Address, reserve: Address) =>
  derive(klend, 'reserve_coll_mint', seed(reserve));

export const collateralSupply = (klend: Address, reserve: Address) =>
  derive(klend, 'reserve_coll_supply', seed(reserve));

export const userMetadataAddress = (klend: Address, owner: Address) =>
  derive(klend, 'user_meta', seed(owner));

export const referrerTokenStateAddress = (klend: Address, referrer: Address, reserve: Address) =>
  derive(klend, 'referrer_acc', seed(referrer), seed(reserve));

export const referrerState = (klend: Address, referrer: Address) =>
  derive(klend, 'ref_state', seed(referrer));

export const shortUrl = (klend: Address, url: string) => derive(klend, 'short_url', url);

export const lendingGlobalConfigAddress = (klend: Address) => derive(klend, 'global_config');

export const ownerQueuedCollateralVault = (klend: Address, reserve: Address, owner: Address) =>
  derive(klend, 'owner_queued_collateral_vault', seed(reserve), seed(owner));

export function withdrawTicket(klend: Address, reserve: Address, sequence: bigint): ProgramDerivedAddress {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, sequence, true);
  return derive(klend, 'withdraw_ticket', seed(reserve), number);
}

/** Distinguishes the obligations of one wallet in one market. */
export interface ObligationKey {
  readonly tag: number;
  /** 0 to 255. */
  readonly id: number;
  /** Collateral mint (or reserve, for fixed-rate tags); the default key for vanilla obligations. */
  readonly seed1: Address;
  readonly seed2: Address;
}

/** The obligation that the REST builders act on. */
export const VANILLA_OBLIGATION: ObligationKey = { tag: 0, id: 0, seed1: NO_ADDRESS, seed2: NO_ADDRESS };

const MULTIPLY_TAG = 1;

/** The Multiply obligation with id 0 of two tokens. */
export const multiplyObligation = (collateralMint: Address, debtMint: Address): ObligationKey => ({
  tag: MULTIPLY_TAG,
  id: 0,
  seed1: collateralMint,
  seed2: debtMint,
});

export const obligationAddress = (klend: Address, owner: Address, market: Address, key: ObligationKey) =>
  derive(klend, key.tag, key.id, seed(owner), seed(market), seed(key.seed1), seed(key.seed2));
