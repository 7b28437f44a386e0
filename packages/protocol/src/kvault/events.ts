import { u64 } from '../layout/codec.ts';
import { eventLayout } from '../layout/event.ts';

/** Events of the vault program. Amounts are base units. */

export const depositUserAtaBalanceEvent = eventLayout('DepositUserAtaBalanceEvent', 'cac7acd424ae7a0e', {
  userAtaBalance: u64,
});

export const depositResultEvent = eventLayout('DepositResultEvent', '7b40dc0458677fcc', {
  sharesToMint: u64,
  tokenToDeposit: u64,
  crankFundsToDeposit: u64,
});

export const sharesToWithdrawEvent = eventLayout('SharesToWithdrawEvent', '7cdca0f5a6443fc6', {
  sharesAmount: u64,
  userSharesBefore: u64,
});

export const withdrawResultEvent = eventLayout('WithdrawResultEvent', '14bf0fe7c4316526', {
  sharesToBurn: u64,
  availableToSendToUser: u64,
  investedToDisinvestCtokens: u64,
  investedLiquidityToSendToUser: u64,
});

export const redeemInKindResultEvent = eventLayout('RedeemInKindResultEvent', '1bbf5aa36a7e9a6c', {
  sharesToBurn: u64,
  ctokensToSendToUser: u64,
});
