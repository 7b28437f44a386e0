import { marketAuthority } from '@sluice/protocol/klend/addresses';
import { reserve as layout } from '@sluice/protocol/klend/reserve';
import { depositReserveLiquidity } from '@sluice/protocol/klend/reserve-instructions';
import { type WithdrawTicket, withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  MAINNET_PROGRAMS,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import { createAssociatedTokenIdempotent } from '@sluice/protocol/token/instructions';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address, KeyPairSigner } from '@solana/kit';
import {
  collateralAccount,
  enqueueCall,
  liquidityAccount,
  payCall,
  type QueueReserve,
  ticketAt,
} from '../localnet/queue-calls.ts';
import type { ActingApp } from './acting-app.ts';
import { sendInstructions } from './system-transactions.ts';

/** Wallets of an acting app with collateral tokens and with tickets in the withdraw queue of a reserve. */

const { klend } = MAINNET_PROGRAMS;

type Chain = Pick<ActingApp, 'localnet'>;

/** The reserve as the chain has it now. */
export function queueReserve({ localnet }: Chain, address: Address): QueueReserve {
  const account = localnet.chain.account(address);
  if (account === undefined) throw new RangeError(`There is no reserve ${address}`);
  return { address, data: layout.decode(account, klend) };
}

/** Null when the ticket was not issued, or is closed. */
export function ticketOf(chain: Chain, reserve: Address, number: bigint): WithdrawTicket | null {
  const account = chain.localnet.chain.account(ticketAt(queueReserve(chain, reserve), number));
  return account === undefined ? null : withdrawTicket.decode(account, klend);
}

/** Base units of collateral tokens in the wallet. */
export function collateralHeld(chain: Chain, reserve: Address, owner: Address): bigint {
  const address = collateralAccount(queueReserve(chain, reserve), owner);
  const account = chain.localnet.chain.account(address);
  return account === undefined ? 0n : decodeTokenAccount(account).amount;
}

/** Deposits base units of the wallet into a reserve; the collateral tokens stay in the wallet. Returns how many it has. */
export async function depositForCollateral(
  world: ActingApp,
  signer: KeyPairSigner,
  address: Address,
  liquidityAmount: bigint,
): Promise<bigint> {
  const owner = signer.address;
  const reserve = queueReserve(world, address);
  const { lendingMarket, liquidity, collateral } = reserve.data;
  const destination = collateralAccount(reserve, owner);
  const opening = createAssociatedTokenIdempotent.encode(
    ASSOCIATED_TOKEN_PROGRAM,
    {
      payer: owner,
      associatedToken: destination,
      owner,
      mint: collateral.mintPubkey,
      systemProgram: SYSTEM_PROGRAM,
      tokenProgram: TOKEN_PROGRAM,
    },
    {},
  );
  const deposit = depositReserveLiquidity.encode(
    klend,
    {
      owner,
      reserve: address,
      lendingMarket,
      lendingMarketAuthority: marketAuthority(klend, lendingMarket).address,
      reserveLiquidityMint: liquidity.mintPubkey,
      reserveLiquiditySupply: liquidity.supplyVault,
      reserveCollateralMint: collateral.mintPubkey,
      userSourceLiquidity: liquidityAccount(reserve, owner),
      userDestinationCollateral: destination,
      collateralTokenProgram: TOKEN_PROGRAM,
      liquidityTokenProgram: liquidity.tokenProgram,
      instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
    },
    { liquidityAmount },
  );
  await send(world, [opening, deposit], signer);
  return collateralHeld(world, address, owner);
}

/** Queues collateral tokens of the wallet, to be paid to its associated account. Returns the number of the ticket. */
export async function queueTicket(
  world: ActingApp,
  signer: KeyPairSigner,
  address: Address,
  collateralAmount: bigint,
): Promise<bigint> {
  const reserve = queueReserve(world, address);
  await send(world, [enqueueCall(reserve, signer.address, collateralAmount)], signer);
  return reserve.data.withdrawQueue.nextIssuedTicketSequenceNumber;
}

/** Pays the ticket at the head of the queue, by anybody. */
export async function payHead(world: ActingApp, payer: KeyPairSigner, address: Address): Promise<void> {
  const reserve = queueReserve(world, address);
  const number = reserve.data.withdrawQueue.nextWithdrawableTicketSequenceNumber;
  const ticket = ticketOf(world, address, number);
  if (ticket === null) throw new RangeError('No ticket waits');
  await send(world, [payCall(reserve, payer.address, ticket)], payer);
}

const send = (world: ActingApp, instructions: readonly EncodedInstruction[], signer: KeyPairSigner) =>
  sendInstructions(world, instructions, [signer]);
