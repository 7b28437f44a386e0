import { derive } from '@sluice/protocol/layout/pda';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';

/** The exchange exists on the localnet only. */
export const EXCHANGE_PROGRAM = 'LocaLnetExchange111111111111111111111111111' as Address;
/** Owns the vaults. */
export const EXCHANGE_AUTHORITY = derive(EXCHANGE_PROGRAM, 'authority').address;
export const EXCHANGE_EVENT_AUTHORITY = derive(EXCHANGE_PROGRAM, '__event_authority').address;

/** Holds what the exchange has of a token. */
export const exchangeVault = (mint: { readonly address: Address; readonly program: Address }): Address =>
  associatedTokenAddress(EXCHANGE_AUTHORITY, mint.program, mint.address).address;
