import {
  ownerQueuedCollateralVault,
  withdrawTicket as ticketAddress,
} from '@sluice/protocol/klend/addresses';
import { enqueueToWithdraw as layout } from '@sluice/protocol/klend/withdraw-queue-instructions';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { transferLamports } from '@sluice/protocol/system/instructions';
import { rentLamports } from '../account-store.ts';
import { anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import {
  checkAddress,
  checkHasOne,
  checkProgram,
  checkSeeds,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { initAccount, initTokenAccountIfNeeded } from '../anchor-init.ts';
import { LENDING } from './lending-errors.ts';
import { checkMarketAuthority, checkNoEmergency, loadMarket } from './market.ts';
import { checkNotVault, checkOpenForEntry } from './reserve-checks.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';
import { moveQueuedCollateral } from './reserve-transfers.ts';
import { callbackAccounts, checkCallbackType } from './ticket-callback.ts';
import { hasAssociatedAddress } from './ticket-destination.ts';
import { checkTokenExtensions } from './token-extensions.ts';
import { enqueue, watchQueue } from './withdraw-queue.ts';

type Call = CallOf<typeof layout>;

/** The ticket pays in advance for the largest token account that its destination could become. */
const LARGEST_TOKEN_ACCOUNT_BYTES = 1_000;

/** Exchanges collateral tokens of the wallet for a ticket at the end of the reserve's withdraw queue. */
export const enqueueToWithdraw = anchorInstruction(layout, 40_000, (call) => {
  const { invocation, accounts, args } = call;
  const { owner, ownerQueuedCollateralVault: vault, userDestinationLiquidityTa: destination } = accounts;
  const { collateralAmount, progressCallbackType } = args;
  checkCallbackType(progressCallbackType);
  const { market, reserve, mint, collateralMint, destinationAccount } = checkAccounts(call);
  const { liquidity } = reserve.data;
  checkNoEmergency(market);

  checkNotVault(destination, liquidity.supplyVault);
  checkOpenForEntry(reserve);
  checkTokenExtensions(mint, destinationAccount);
  ensure(market.withdrawTicketIssuanceEnabled !== 0, LENDING.withdrawTicketIssuanceDisabled);
  refreshReserveState(reserve, invocation.clock, market);
  const checkQueue = watchQueue(vault, reserve);
  const sequenceNumber = enqueue(market, reserve, collateralAmount);
  reserve.save();
  const custom = callbackAccounts(progressCallbackType, owner, accounts.progressCallbackCustomAccount0);
  const ticket = {
    sequenceNumber,
    owner: owner.address,
    reserve: reserve.address,
    userDestinationLiquidityTa: destination.address,
    queuedCollateralAmount: collateralAmount,
    createdAtTimestamp: invocation.clock.unixTimestamp,
    progressCallbackType,
    progressCallbackCustomAccounts: custom,
  };
  accounts.withdrawTicket.write(withdrawTicket.encode(ticket));
  invocation.log(`Ticket ${sequenceNumber} holds ${collateralAmount} collateral tokens`);
  moveQueuedCollateral(
    invocation,
    {
      tokenProgram: accounts.collateralTokenProgram.address,
      source: accounts.userSourceCollateralTa.address,
      destination: vault.address,
      owner: owner.address,
      amount: collateralAmount,
    },
    accounts.reserveCollateralMint.address,
    collateralMint.decimals,
  );
  const { mintPubkey, tokenProgram } = liquidity;
  if (hasAssociatedAddress(destination, { owner: owner.address, mint: mintPubkey, tokenProgram })) {
    prepayRent(call);
  }
  checkQueue(collateralAmount);
});

function checkAccounts({ invocation, accounts }: Call) {
  const { owner, reserve: reserveAccount, lendingMarket, ownerQueuedCollateralVault: vault } = accounts;
  const market = loadMarket(lendingMarket);
  const reserve = ReserveState.load(reserveAccount);
  const { liquidity, collateral } = reserve.data;
  const { userSourceCollateralTa: source, userDestinationLiquidityTa: destination } = accounts;
  loadTokenAccount(source);
  const destinationAccount = loadTokenAccount(destination);
  loadMint(accounts.reserveLiquidityMint);
  const collateralMint = loadMint(accounts.reserveCollateralMint);
  checkProgram(accounts.collateralTokenProgram, TOKEN_PROGRAM);
  checkProgram(accounts.systemProgram, SYSTEM_PROGRAM);

  const { program } = invocation;
  checkSeeds(accounts.withdrawTicket, ticketAddress(program, reserve.address, reserve.queue.nextIssued));
  initAccount(invocation, owner, accounts.withdrawTicket, withdrawTicket.size);
  checkSeeds(vault, ownerQueuedCollateralVault(program, reserve.address, owner.address));
  initTokenAccountIfNeeded(invocation, owner, vault, {
    mint: accounts.reserveCollateralMint.address,
    authority: accounts.lendingMarketAuthority.address,
    tokenProgram: TOKEN_PROGRAM,
  });

  checkMarketAuthority(accounts.lendingMarketAuthority, lendingMarket);
  checkHasOne(reserve.data.lendingMarket, lendingMarket);
  loadTokenAccount(source, {
    mint: accounts.reserveCollateralMint.address,
    authority: owner.address,
    tokenProgram: TOKEN_PROGRAM,
  });
  ensure(destinationAccount.delegate === null, LENDING.invalidTokenAccountState);
  ensure(!destinationAccount.frozen, LENDING.invalidTokenAccountState);
  const { tokenProgram } = liquidity;
  const mintAddress = accounts.reserveLiquidityMint.address;
  loadTokenAccount(destination, { mint: mintAddress, authority: owner.address, tokenProgram });
  checkAddress(accounts.reserveLiquidityMint, liquidity.mintPubkey);
  const mint = loadMint(accounts.reserveLiquidityMint, tokenProgram);
  checkAddress(accounts.reserveCollateralMint, collateral.mintPubkey);
  checkAddress(accounts.instructionSysvarAccount, INSTRUCTIONS_SYSVAR);
  return { market, reserve, mint, collateralMint, destinationAccount };
}

/** Leaves rent in the ticket for a payer who has to open the destination again. */
function prepayRent({ invocation, accounts }: Call): void {
  const move = { source: accounts.owner.address, destination: accounts.withdrawTicket.address };
  const lamports = rentLamports(LARGEST_TOKEN_ACCOUNT_BYTES);
  invocation.invoke(transferLamports.encode(SYSTEM_PROGRAM, move, { lamports }));
}
