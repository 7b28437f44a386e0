import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u8, u64 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import { array, type StructOf } from '../layout/struct.ts';

/** A place in the withdraw queue of a reserve. One without collateral was cancelled and waits for its turn to be closed. */
export const withdrawTicket = accountLayout('WithdrawTicket', 'ed17a43a35f8f05e', {
  sequenceNumber: u64,
  owner: publicKey,
  reserve: publicKey,
  userDestinationLiquidityTa: publicKey,
  /** Collateral tokens (cTokens), base units. */
  queuedCollateralAmount: u64,
  /** Unix seconds. */
  createdAtTimestamp: u64,
  /** 1: its destination cannot be paid; the collateral can only be recovered. */
  invalid: u8,
  /** 0 none, 1 earn vault. */
  progressCallbackType: u8,
  padding: padding(bytes(6)),
  progressCallbackCustomAccounts: array(publicKey, 2),
  endPadding: padding(array(u64, 40)),
});

export type WithdrawTicket = StructOf<typeof withdrawTicket.body.fields>;
