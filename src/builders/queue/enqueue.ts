import { withdrawTicket as ticketAddress } from '@sluice/protocol/klend/addresses';
import type { ObligationCollateral } from '@sluice/protocol/klend/obligation';
import { withdrawCollateralV2 } from '@sluice/protocol/klend/position-instructions';
import { enqueueToWithdraw } from '@sluice/protocol/klend/withdraw-queue-instructions';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import type { Moment } from '../../domain/moment.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import { collateralWorth } from '../../domain/ticket-payment.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import type { Amount } from '../amount.ts';
import { type BuiltAction, type BuiltInstruction, instruction } from '../built-instruction.ts';
import type { LendingAccounts } from '../lending/accounts.ts';
import { lendingRefresh } from '../lending/refresh.ts';
import { obligationSetup } from '../lending/setup.ts';
import { collateralFor, sharedAccounts } from '../lending/terms.ts';
import { withdrawnDeposit } from '../lending/withdraw.ts';
import { createTokenAccount } from '../token-instructions.ts';
import type { EnqueueAccounts } from './enqueue-accounts.ts';
import { lastingWithdrawal } from './lasting-withdrawal.ts';
import { amountInWords, collateralInWords } from './words.ts';

/** The new ticket. */
export interface NewTicket {
  readonly address: Address;
  readonly number: bigint;
  /** Collateral tokens to queue, base units. */
  readonly collateral: bigint;
  /** Whether it takes everything that the wallet or the obligation has. */
  readonly isAll: boolean;
  /** Base units of the reserve's token that were asked for, with "all" resolved. */
  readonly amount: bigint;
}

/**
 * The ticket that an amount makes. Collateral tokens are rounded up, so that they are worth the amount; an obligation gives no
 * more than its deposit. "All" is resolved now.
 *
 * @throws KLEND_POSITION_NOT_FOUND, DECIMAL_TO_LAMPORTS_OVERFLOW, or BUILD_REFUSED when there is nothing to queue
 */
export function newTicket(accounts: EnqueueAccounts, asked: Amount, moment: Moment): NewTicket {
  const { programs, reserveAddress, reserve, market, position } = accounts;
  const accrued = refreshReserve(reserve, moment, market);
  const number = reserve.withdrawQueue.nextIssuedTicketSequenceNumber;
  const isAll = asked === 'all';
  const deposit = position && withdrawnDeposit(position);
  const collateral = isAll
    ? everything(accounts, deposit, moment)
    : partOf(accounts, accrued, asked, deposit);
  return {
    address: ticketAddress(programs.klend, reserveAddress, number).address,
    number,
    collateral,
    isAll,
    amount: isAll ? collateralWorth(accrued, collateral) : asked,
  };
}

function partOf(
  accounts: EnqueueAccounts,
  accrued: AccruedReserve,
  asked: bigint,
  deposit: ObligationCollateral | null,
): bigint {
  const collateral = collateralFor(accrued, asked);
  if (collateral > U64_MAX) {
    const decimals = Number(accrued.account.liquidity.mintDecimals);
    throw new SluiceError('DECIMAL_TO_LAMPORTS_OVERFLOW', {
      amount: amountInWords(accounts, asked),
      decimals,
    });
  }
  return deposit === null ? collateral : lesser(collateral, deposit.depositedAmount);
}

function everything(
  { position, collateral, symbol }: EnqueueAccounts,
  deposit: ObligationCollateral | null,
  moment: Moment,
): bigint {
  const amount =
    position === null || deposit === null
      ? (collateral.account?.amount ?? 0n)
      : lastingWithdrawal(position, deposit, moment);
  if (amount > 0n) return amount;
  const reason =
    position === null
      ? `the wallet holds no collateral tokens of the ${symbol} reserve; name the obligation that they are in`
      : 'the debts of the obligation need all of this deposit; repay first';
  throw new SluiceError('BUILD_REFUSED', { reason });
}

/**
 * Queues collateral tokens for withdrawal, after taking them out of the obligation if they are in one. The ticket is paid to
 * the wallet's associated account.
 *
 * @example
 * buildEnqueue(accounts, newTicket(accounts, 250_000_000n, moment));
 */
export function buildEnqueue(accounts: EnqueueAccounts, ticket: NewTicket): BuiltAction {
  const { programs, wallet, payer, reserve, position, collateral, liquidity, symbol } = accounts;
  const opening = { wallet, payer };
  const { liquidity: token, collateral: shares } = reserve;
  return {
    amount: ticket.amount,
    all: false,
    wrappedSol: null,
    instructions: [
      createTokenAccount(opening, liquidity.address, token.mintPubkey, accounts.tokenProgram, symbol),
      ...(position === null
        ? []
        : [
            createTokenAccount(
              opening,
              collateral.address,
              shares.mintPubkey,
              TOKEN_PROGRAM,
              `collateral tokens of the ${symbol} reserve`,
            ),
            ...obligationSetup(position),
            ...lendingRefresh(position),
            withdrawal(position, collateral.address, ticket, accounts),
          ]),
      instruction(
        enqueueToWithdraw,
        programs.klend,
        {
          owner: wallet,
          lendingMarket: accounts.marketAddress,
          lendingMarketAuthority: accounts.marketAuthority,
          reserve: accounts.reserveAddress,
          userSourceCollateralTa: collateral.address,
          userDestinationLiquidityTa: liquidity.address,
          reserveLiquidityMint: token.mintPubkey,
          reserveCollateralMint: shares.mintPubkey,
          collateralTokenProgram: TOKEN_PROGRAM,
          withdrawTicket: ticket.address,
          ownerQueuedCollateralVault: accounts.queuedVault,
          systemProgram: SYSTEM_PROGRAM,
          progressCallbackCustomAccount0: null,
          progressCallbackCustomAccount1: null,
          instructionSysvarAccount: INSTRUCTIONS_SYSVAR,
        },
        { collateralAmount: ticket.collateral, progressCallbackType: NO_CALLBACK },
        {
          summary: `Queue ${amountInWords(accounts, ticket.amount)} for withdrawal, as ticket ${ticket.number}`,
        },
      ),
    ],
  };
}

const NO_CALLBACK = 0;

function withdrawal(
  position: LendingAccounts,
  destination: Address,
  { collateral }: NewTicket,
  accounts: EnqueueAccounts,
): BuiltInstruction {
  const { request, reserve } = position;
  return instruction(
    withdrawCollateralV2,
    request.programs.klend,
    {
      ...sharedAccounts(position),
      withdrawReserve: request.reserve,
      reserveSourceCollateral: reserve.collateral.supplyVault,
      userDestinationCollateral: destination,
      tokenProgram: TOKEN_PROGRAM,
    },
    { collateralAmount: collateral },
    { summary: `Take ${collateralInWords(accounts, collateral)} out of the obligation` },
  );
}
