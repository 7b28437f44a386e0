import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { supportsMint } from '@sluice/protocol/klend/supported-extensions';
import { FULL_BPS } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { routeV2 } from '@sluice/protocol/router/route-instructions';
import { type AccountMeta, AccountRole, type Address } from '@solana/kit';
import { ANCHOR_ERRORS, anchorInstruction, ensure, load } from '../anchor.ts';
import { checkAddress, checkTokenProgram, loadMint, loadTokenAccount } from '../anchor-accounts.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { transferTokens } from '../kvault/token-calls.ts';
import { EXCHANGE_AUTHORITY, exchangeVault } from './addresses.ts';
import { EXCHANGE_ERROR } from './errors.ts';
import { fillOf } from './price.ts';

/** What the exchange needs beside the accounts that the router names. */
interface RouteAccounts {
  readonly sourceVault: Address;
  readonly destinationVault: Address;
  readonly oracle: Address;
  readonly sourceReserve: Address;
  readonly destinationReserve: Address;
}

export const routeAccounts = (accounts: RouteAccounts): AccountMeta[] => [
  { address: EXCHANGE_AUTHORITY, role: AccountRole.READONLY },
  { address: accounts.sourceVault, role: AccountRole.WRITABLE },
  { address: accounts.destinationVault, role: AccountRole.WRITABLE },
  { address: accounts.oracle, role: AccountRole.READONLY },
  { address: accounts.sourceReserve, role: AccountRole.READONLY },
  { address: accounts.destinationReserve, role: AccountRole.READONLY },
];

/** Swaps with the vaults of the exchange at the prices of the oracle. */
export const route = anchorInstruction(routeV2, 30_000, ({ invocation, accounts, args, remaining }) => {
  const [authority, sourceVault, destinationVault, oracle, sourceReserve, destinationReserve] = remaining;
  if (!authority || !sourceVault || !destinationVault || !oracle || !sourceReserve || !destinationReserve) {
    ensure(false, ANCHOR_ERRORS.accountNotEnoughKeys);
  }
  checkAddress(authority, EXCHANGE_AUTHORITY);
  const user = accounts.userTransferAuthority.address;
  const sold = sideOf(accounts.sourceMint, accounts.sourceTokenProgram, sourceVault, sourceReserve);
  const bought = sideOf(
    accounts.destinationMint,
    accounts.destinationTokenProgram,
    destinationVault,
    destinationReserve,
  );
  loadTokenAccount(accounts.userSourceTokenAccount, { mint: sold.mint.address, authority: user });
  const receiver = accounts.destinationTokenAccount ?? accounts.userDestinationTokenAccount;
  loadTokenAccount(receiver, { mint: bought.mint.address });

  const { inAmount, quotedOutAmount, slippageBps } = args;
  const paid = fillOf(inAmount, [sold.reserve, bought.reserve], oracle, invocation.clock);
  const least = quotedOutAmount * (FULL_BPS - BigInt(slippageBps));
  ensure(paid * FULL_BPS >= least, EXCHANGE_ERROR.slippage);
  transferTokens(invocation, {
    ...sold,
    source: accounts.userSourceTokenAccount,
    destination: sold.vault,
    owner: user,
    amount: inAmount,
  });
  transferTokens(
    invocation,
    { ...bought, source: bought.vault, destination: receiver, owner: authority.address, amount: paid },
    [authority.address],
  );
});

function sideOf(
  mint: InstructionAccount,
  tokenProgram: InstructionAccount,
  vault: InstructionAccount,
  reserveAccount: InstructionAccount,
) {
  checkTokenProgram(tokenProgram);
  const found = loadMint(mint, tokenProgram.address);
  ensure(supportsMint(found), EXCHANGE_ERROR.unsupportedToken);
  checkAddress(vault, exchangeVault({ address: mint.address, program: tokenProgram.address }));
  const reserve = load(reserveAccount, reserveLayout, MAINNET_PROGRAMS.klend);
  ensure(reserve.liquidity.mintPubkey === mint.address, EXCHANGE_ERROR.wrongReserve);
  return { mint, tokenProgram: tokenProgram.address, decimals: found.decimals, vault, reserve };
}
