import { vaultAuthority } from '@sluice/protocol/kvault/addresses';
import { depositResultEvent, depositUserAtaBalanceEvent } from '@sluice/protocol/kvault/events';
import { vaultDeposit, vaultDepositWithMinSharesOut } from '@sluice/protocol/kvault/instructions';
import { eventAuthority } from '@sluice/protocol/layout/pda';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { type AnchorCall, anchorInstruction, ensure } from '../anchor.ts';
import {
  balanceOf,
  checkHasOne,
  checkProgram,
  checkSeeds,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { emit } from '../events.ts';
import { addSf, ceilSf, unsigned64, wholeSf } from '../klend/fraction.ts';
import { chargeFees, releaseRewards } from './fees.ts';
import { type Holdings, holdingsOf } from './holdings.ts';
import { refreshReserves } from './lending-calls.ts';
import { checkPermission } from './permission.ts';
import { sharesForDeposit, tokensForShares } from './share-maths.ts';
import { mintShares, transferTokens } from './token-calls.ts';
import { aumSfOf, loadVault, openBooks, saveBooks, type VaultBooks } from './vault-books.ts';
import { VAULT_CODES } from './vault-errors.ts';

type DepositCall = AnchorCall<typeof vaultDeposit.accounts, typeof vaultDeposit.args.fields>;

export const DEPOSIT_UNITS = 46_000;

export const deposit = anchorInstruction(vaultDeposit, DEPOSIT_UNITS, (call) => runDeposit(call, 0n));

export const depositWithMinSharesOut = anchorInstruction(
  vaultDepositWithMinSharesOut,
  DEPOSIT_UNITS,
  (call) => runDeposit(call, call.args.minSharesOut),
);

/** Mints shares for at most the given amount of tokens and up to the vault's cap; fewer than the minimum are refused. */
export function runDeposit(
  { invocation, accounts, args, remaining: given }: DepositCall,
  minSharesOut: bigint,
): void {
  const settings = checkAccounts(accounts);
  const { maxAmount } = args;
  const { user, vaultState, tokenMint, sharesMint, userTokenAta, userSharesAta } = accounts;
  ensure(maxAmount > 0n, VAULT_CODES.depositAmountsZero);
  const remaining = checkPermission(settings, given);
  const books = openBooks(settings);
  const reserves = refreshReserves(invocation, books, remaining);
  const before = { tokens: balanceOf(userTokenAta), shares: balanceOf(userSharesAta) };
  emit(invocation, depositUserAtaBalanceEvent, { userAtaBalance: before.tokens });

  const timestamp = invocation.clock.unixTimestamp;
  releaseRewards(books, timestamp);
  const crankFunds = crankFundsOf(books);
  const offered = unsigned64(maxAmount - crankFunds);
  const holdings = holdingsOf(invocation, books, reserves);
  const bought = buyShares(books, holdings, offered, minSharesOut, timestamp);
  books.availableCrankFunds = unsigned64(books.availableCrankFunds + crankFunds);
  emit(invocation, depositResultEvent, {
    sharesToMint: bought.shares,
    tokenToDeposit: bought.tokens,
    crankFundsToDeposit: crankFunds,
  });
  saveBooks(vaultState, books);

  const amount = unsigned64(bought.tokens + crankFunds);
  transferTokens(invocation, {
    source: userTokenAta,
    destination: accounts.tokenVault,
    mint: tokenMint,
    owner: user.address,
    tokenProgram: accounts.tokenProgram.address,
    decimals: loadMint(tokenMint).decimals,
    amount,
  });
  const authority = vaultAuthority(MAINNET_PROGRAMS.kvault, vaultState.address).address;
  mintShares(invocation, sharesMint, userSharesAta, authority, bought.shares);

  const gained = unsigned64(balanceOf(userSharesAta) - before.shares);
  ensure(amount <= maxAmount, VAULT_CODES.depositAmountGreaterThanRequestedAmount);
  ensure(settings.sharesIssued + gained === books.sharesIssued, VAULT_CODES.sharesIssuedAmountDoesNotMatch);
  ensure(
    unsigned64(before.tokens - amount) === balanceOf(userTokenAta),
    VAULT_CODES.tokensDepositedAmountDoesNotMatch,
  );
}

function checkAccounts(accounts: DepositCall['accounts']) {
  const { user, tokenMint, sharesMint, userTokenAta, userSharesAta } = accounts;
  const vault = loadVault(accounts.vaultState);
  loadTokenAccount(accounts.tokenVault);
  loadMint(tokenMint);
  loadMint(sharesMint);
  loadTokenAccount(userTokenAta);
  loadTokenAccount(userSharesAta);
  checkProgram(accounts.klendProgram, MAINNET_PROGRAMS.klend);
  checkTokenProgram(accounts.tokenProgram);
  checkProgram(accounts.sharesTokenProgram, TOKEN_PROGRAM);
  checkHasOne(vault.baseVaultAuthority, accounts.baseVaultAuthority);
  checkHasOne(vault.tokenVault, accounts.tokenVault);
  checkHasOne(vault.tokenMint, tokenMint);
  checkHasOne(vault.tokenProgram, accounts.tokenProgram);
  checkHasOne(vault.sharesMint, sharesMint);
  loadMint(sharesMint, TOKEN_PROGRAM);
  loadTokenAccount(userTokenAta, { mint: tokenMint.address, authority: user.address });
  loadTokenAccount(userSharesAta, { mint: sharesMint.address, authority: user.address });
  checkSeeds(accounts.eventAuthority, eventAuthority(MAINNET_PROGRAMS.kvault));
  return vault;
}

/** A fixed fee for each reserve that can receive tokens. It pays for rounding losses when the vault invests. */
function crankFundsOf({ allocations, settings }: VaultBooks): bigint {
  const open = allocations.filter(({ weight, cap }) => weight > 0n && cap > 0n);
  return unsigned64(BigInt(open.length) * settings.crankFundFeePerReserve);
}

function buyShares(
  books: VaultBooks,
  { totalInvestedSf }: Holdings,
  offered: bigint,
  minSharesOut: bigint,
  timestamp: bigint,
): { shares: bigint; tokens: bigint } {
  chargeFees(books, totalInvestedSf, timestamp);
  const aumSf = aumSfOf(books, totalInvestedSf);
  const room = roomUnderCap(books, aumSf);
  ensure(room > 0n, VAULT_CODES.vaultDepositCapReached);
  const isCut = offered > room;
  const shares = sharesForDeposit(aumSf, isCut ? room : offered, books.sharesIssued);
  const tokens = tokensForShares(aumSf, shares, books.sharesIssued);
  ensure(
    tokens >= books.settings.minDepositAmount,
    isCut ? VAULT_CODES.vaultDepositCapReached : VAULT_CODES.depositAmountBelowMinimum,
  );
  ensure(shares > 0n, VAULT_CODES.depositAmountsZeroShares);
  ensure(shares >= minSharesOut, VAULT_CODES.sharesOutBelowMinimum);
  books.tokenAvailable = unsigned64(books.tokenAvailable + tokens);
  books.sharesIssued = unsigned64(books.sharesIssued + shares);
  books.prevAumSf = addSf(aumSf, wholeSf(tokens));
  return { shares, tokens };
}

/** Base units that the vault still takes; a cap of 0 is none. */
function roomUnderCap({ settings }: VaultBooks, aumSf: bigint): bigint {
  const cap = settings.depositCap === 0n ? U64_MAX : settings.depositCap;
  return atLeastZero(cap - ceilSf(aumSf));
}
