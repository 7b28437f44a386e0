import { u64 } from '../layout/codec.ts';
import { instructionLayout } from '../layout/instruction.ts';
import type { Fields } from '../layout/struct.ts';

/** Start of the data with which an Anchor program calls itself to record an event among its inner instructions. */
export const EVENT_TAG = 'e445a52e51cb9a1d';

const event = <const F extends Fields>(name: string, discriminator: string, fields: F) =>
  instructionLayout(name, `${EVENT_TAG}${discriminator}`, fields, { eventAuthority: 'signer' });

/** Amounts are base units. */

export const depositUserAtaBalanceEvent = event('DepositUserAtaBalanceEvent', 'cac7acd424ae7a0e', {
  userAtaBalance: u64,
});

export const depositResultEvent = event('DepositResultEvent', '7b40dc0458677fcc', {
  sharesToMint: u64,
  tokenToDeposit: u64,
  crankFundsToDeposit: u64,
});

export const sharesToWithdrawEvent = event('SharesToWithdrawEvent', '7cdca0f5a6443fc6', {
  sharesAmount: u64,
  userSharesBefore: u64,
});

export const withdrawResultEvent = event('WithdrawResultEvent', '14bf0fe7c4316526', {
  sharesToBurn: u64,
  availableToSendToUser: u64,
  investedToDisinvestCtokens: u64,
  investedLiquidityToSendToUser: u64,
});

export const redeemInKindResultEvent = event('RedeemInKindResultEvent', '1bbf5aa36a7e9a6c', {
  sharesToBurn: u64,
  ctokensToSendToUser: u64,
});
