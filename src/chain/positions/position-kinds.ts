import { type UserState, userState } from '@sluice/protocol/farms/user-state';
import { type Obligation, obligation } from '@sluice/protocol/klend/obligation';
import { type ReferrerTokenState, referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { type UserMetadata, userMetadata } from '@sluice/protocol/klend/user-metadata';
import { type WithdrawTicket, withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { type ProgramIds, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import {
  TOKEN_ACCOUNT_BYTES,
  TOKEN_ACCOUNT_OFFSETS,
  type TokenAccount,
} from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../accounts/account-page.ts';

/**
 * Decoded value of each kind of accounts of wallets. They are held for all wallets while a source delivers all of them;
 * of token accounts, those of the vaults' shares.
 */
export interface PositionValues {
  readonly obligation: Obligation;
  readonly withdrawTicket: WithdrawTicket;
  readonly userMetadata: UserMetadata;
  readonly referrerTokenState: ReferrerTokenState;
  readonly farmUser: UserState;
  readonly tokenAccount: TokenAccount;
}

export type PositionKind = keyof PositionValues;

/** The place of a kind in this list is its number in packed records: only append. */
export const POSITION_KINDS: readonly PositionKind[] = [
  'obligation',
  'withdrawTicket',
  'userMetadata',
  'referrerTokenState',
  'farmUser',
  'tokenAccount',
];

export function isPositionKind(kind: string): kind is PositionKind {
  return (POSITION_KINDS as readonly string[]).includes(kind);
}

/** An account of a kind. */
export interface PositionAccount {
  readonly kind: PositionKind;
  readonly account: ChainAccount;
}

/** An account that was created, changed or closed. */
export interface PositionChange {
  readonly kind: PositionKind;
  readonly address: Address;
  /** Null: closed. */
  readonly account: ChainAccount | null;
  readonly slot: bigint;
}

/** Where an account of a kind names what it belongs to, as offsets of addresses. */
export interface PositionKeys {
  readonly wallet: number;
  /** Market of an obligation, reserve of a ticket, farm of a stake, mint of shares or fees. Null: none. */
  readonly group: number | null;
  /** Addresses that many accounts share, the group included. */
  readonly shared: readonly number[];
}

const DEPOSIT = obligation.offsetOf('deposits');
const DEPOSIT_BYTES = (obligation.offsetOf('lowestReserveDepositLiquidationLtv') - DEPOSIT) / 8;
const BORROW = obligation.offsetOf('borrows');
const BORROW_BYTES = (obligation.offsetOf('borrowFactorAdjustedDebtValueSf') - BORROW) / 5;

function keysOf(wallet: number, group: number | null, others: readonly number[] = []): PositionKeys {
  return { wallet, group, shared: [...(group === null ? [] : [group]), ...others] };
}

/** Each element of the arrays of an obligation begins with its reserve. */
export const POSITION_KEYS: { readonly [K in PositionKind]: PositionKeys } = {
  obligation: keysOf(obligation.offsetOf('owner'), obligation.offsetOf('lendingMarket'), [
    ...Array.from({ length: 8 }, (_, i) => DEPOSIT + i * DEPOSIT_BYTES),
    ...Array.from({ length: 5 }, (_, i) => BORROW + i * BORROW_BYTES),
  ]),
  withdrawTicket: keysOf(withdrawTicket.offsetOf('owner'), withdrawTicket.offsetOf('reserve')),
  userMetadata: keysOf(userMetadata.offsetOf('owner'), null),
  referrerTokenState: keysOf(referrerTokenState.offsetOf('referrer'), referrerTokenState.offsetOf('mint')),
  farmUser: keysOf(userState.offsetOf('owner'), userState.offsetOf('farmState')),
  tokenAccount: keysOf(TOKEN_ACCOUNT_OFFSETS.owner, TOKEN_ACCOUNT_OFFSETS.mint),
};

const LAYOUTS = { obligation, withdrawTicket, userMetadata, referrerTokenState, farmUser: userState };

/** Whether owner, discriminator and length are those of the kind. Decoding checks the rest. */
export function isReadable(kind: PositionKind, { owner, data }: ChainAccount, programs: ProgramIds): boolean {
  if (kind === 'tokenAccount') {
    return (owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM) && data.length >= TOKEN_ACCOUNT_BYTES;
  }
  const { size, discriminator } = LAYOUTS[kind];
  const program = kind === 'farmUser' ? programs.farms : programs.klend;
  return owner === program && data.length >= size && discriminator.every((byte, i) => data[i] === byte);
}
