import { giveUpPendingFees as layout } from '@sluice/protocol/kvault/curator-instructions';
import { lesser } from '@sluice/protocol/numeric/integer';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { anchorInstruction } from '../anchor.ts';
import { checkHasOne, checkProgram } from '../anchor-accounts.ts';
import { subSfToZero, wholeSf } from '../klend/fraction.ts';
import { chargeFees, releaseRewards } from './fees.ts';
import { holdingsOf } from './holdings.ts';
import { refreshReserves } from './lending-calls.ts';
import { loadVault, openBooks, saveBooks } from './vault-books.ts';

/** Leaves fees that are not withdrawn to the shareholders. No fee is charged on them. */
export const giveUpPendingFees = anchorInstruction(
  layout,
  34_000,
  ({ invocation, accounts, args, remaining }) => {
    const { vaultAdminAuthority, vaultState } = accounts;
    const vault = loadVault(vaultState);
    checkProgram(accounts.klendProgram, MAINNET_PROGRAMS.klend);
    checkHasOne(vault.vaultAdminAuthority, vaultAdminAuthority);
    const { unixTimestamp } = invocation.clock;
    const books = openBooks(vault);
    const reserves = refreshReserves(invocation, books, remaining);
    releaseRewards(books, unixTimestamp);
    const holdings = holdingsOf(invocation, books, reserves);
    chargeFees(books, holdings.totalInvestedSf, unixTimestamp);
    books.pendingFeesSf -= lesser(wholeSf(args.maxAmountToGiveUp), books.pendingFeesSf);
    books.lastFeeChargeTimestamp = unixTimestamp;
    books.prevAumSf = subSfToZero(holdings.totalSf, books.pendingFeesSf);
    saveBooks(vaultState, books);
  },
);
