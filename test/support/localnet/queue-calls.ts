import {
  marketAuthority,
  ownerQueuedCollateralVault,
  withdrawTicket as ticketAddress,
} from '@sluice/protocol/klend/addresses';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import {
  cancelWithdrawTicket,
  enqueueToWithdraw,
  recoverInvalidTicketCollateral,
  withdrawQueuedLiquidity,
} from '@sluice/protocol/klend/withdraw-queue-instructions';
import type { WithdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';

/** Instructions of the withdraw queue for a reserve of any chain. */

const { klend } = MAINNET_PROGRAMS;

export interface QueueReserve {
  readonly address: Address;
  readonly data: Reserve;
}

/** Fields of a ticket that its payment needs. */
export type QueuedTicket = Pick<WithdrawTicket, 'sequenceNumber' | 'owner' | 'userDestinationLiquidityTa'>;

/** Addresses that replace the right ones, by account name; null leaves out an optional account. */
export type Replaced = Readonly<Record<string, Address | null>>;

/** The wallet's associated account of collateral tokens. */
export const collateralAccount = ({ data }: QueueReserve, owner: Address): Address =>
  associatedTokenAddress(owner, TOKEN_PROGRAM, data.collateral.mintPubkey).address;

/** The wallet's associated account of the reserve's own token. */
export function liquidityAccount({ data }: QueueReserve, owner: Address): Address {
  const { mintPubkey, tokenProgram } = data.liquidity;
  return associatedTokenAddress(owner, tokenProgram, mintPubkey).address;
}

export const ticketAt = ({ address }: QueueReserve, number: bigint): Address =>
  ticketAddress(klend, address, number).address;

/** Holds the collateral tokens of all tickets of the owner. */
export const queuedVault = ({ address }: QueueReserve, owner: Address): Address =>
  ownerQueuedCollateralVault(klend, address, owner).address;

const common = ({ address, data }: QueueReserve) => ({
  lendingMarket: data.lendingMarket,
  lendingMarketAuthority: marketAuthority(klend, data.lendingMarket).address,
  reserve: address,
  reserveLiquidityMint: data.liquidity.mintPubkey,
  reserveCollateralMint: data.collateral.mintPubkey,
  collateralTokenProgram: TOKEN_PROGRAM,
  instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
});

export function enqueueCall(
  reserve: QueueReserve,
  owner: Address,
  collateralAmount: bigint,
  replaced: Replaced = {},
  progressCallbackType = 0,
): EncodedInstruction {
  const { nextIssuedTicketSequenceNumber: number } = reserve.data.withdrawQueue;
  return enqueueToWithdraw.encode(
    klend,
    {
      owner,
      ...common(reserve),
      userSourceCollateralTa: collateralAccount(reserve, owner),
      userDestinationLiquidityTa: liquidityAccount(reserve, owner),
      withdrawTicket: ticketAt(reserve, number),
      ownerQueuedCollateralVault: queuedVault(reserve, owner),
      systemProgram: SYSTEM_PROGRAM,
      progressCallbackCustomAccount0: null,
      progressCallbackCustomAccount1: null,
      ...replaced,
    },
    { collateralAmount, progressCallbackType },
  );
}

export function payCall(
  reserve: QueueReserve,
  payer: Address,
  { sequenceNumber, owner, userDestinationLiquidityTa }: QueuedTicket,
  replaced: Replaced = {},
): EncodedInstruction {
  return withdrawQueuedLiquidity.encode(
    klend,
    {
      payer,
      ...common(reserve),
      reserveLiquiditySupply: reserve.data.liquidity.supplyVault,
      ownerQueuedCollateralVault: queuedVault(reserve, owner),
      userDestinationLiquidity: userDestinationLiquidityTa,
      liquidityTokenProgram: reserve.data.liquidity.tokenProgram,
      withdrawTicket: ticketAt(reserve, sequenceNumber),
      withdrawTicketOwner: owner,
      associatedTokenProgram: ASSOCIATED_TOKEN_PROGRAM,
      systemProgram: SYSTEM_PROGRAM,
      progressCallbackProgram: null,
      progressCallbackCustomAccount0: null,
      progressCallbackCustomAccount1: null,
      ...replaced,
    },
    {},
  );
}

export function cancelCall(
  reserve: QueueReserve,
  owner: Address,
  ticketSequenceNumber: bigint,
  collateralAmountToCancel: bigint,
  replaced: Replaced = {},
): EncodedInstruction {
  return cancelWithdrawTicket.encode(
    klend,
    {
      owner,
      ...common(reserve),
      ownerQueuedCollateralVault: queuedVault(reserve, owner),
      userDestinationCollateral: collateralAccount(reserve, owner),
      withdrawTicket: ticketAt(reserve, ticketSequenceNumber),
      ...replaced,
    },
    { ticketSequenceNumber, collateralAmountToCancel },
  );
}

export function recoverCall(
  reserve: QueueReserve,
  payer: Address,
  { sequenceNumber, owner }: Omit<QueuedTicket, 'userDestinationLiquidityTa'>,
  replaced: Replaced = {},
): EncodedInstruction {
  return recoverInvalidTicketCollateral.encode(
    klend,
    {
      payer,
      ...common(reserve),
      ownerQueuedCollateralVault: queuedVault(reserve, owner),
      userSourceCollateral: collateralAccount(reserve, owner),
      withdrawTicket: ticketAt(reserve, sequenceNumber),
      withdrawTicketOwner: owner,
      ...replaced,
    },
    { ticketSequenceNumber: sequenceNumber },
  );
}
