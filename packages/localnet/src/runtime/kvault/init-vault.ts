import { sharesMint, vaultAuthority, vaultTokenVault } from '@sluice/protocol/kvault/addresses';
import { initVault as layout } from '@sluice/protocol/kvault/curator-instructions';
import { FIRST_DEPOSIT, vaultState } from '@sluice/protocol/kvault/vault-state';
import { U64_MAX, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, RENT_SYSVAR, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { ANCHOR_ERRORS, anchorInstruction, type CallOf, ensure } from '../anchor.ts';
import {
  checkProgram,
  checkSeeds,
  checkSysvar,
  checkTokenProgram,
  loadMint,
  loadTokenAccount,
} from '../anchor-accounts.ts';
import { initMint, initTokenAccount } from '../anchor-init.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { transferTokens } from './token-calls.ts';
import { VAULT_CODES } from './vault-errors.ts';

type InitCall = Pick<CallOf<typeof layout>, 'invocation' | 'accounts'>;

const { kvault } = MAINNET_PROGRAMS;
const DISCRIMINATOR_BYTES = 8;

/**
 * Makes a vault of an empty account of the program. A first deposit fixes the price of shares; its shares are nobody's, so
 * that a large gift to the vault cannot make a share too expensive for a small deposit.
 */
export const initVault = anchorInstruction(layout, 62_000, ({ invocation, accounts }) => {
  const { adminAuthority, vaultState: account, baseTokenMint, adminTokenAccount, tokenProgram } = accounts;
  const derived = vaultAuthority(kvault, account.address);
  const { decimals } = loadMint(baseTokenMint);
  openAccounts({ invocation, accounts }, decimals);
  checkSeeds(accounts.baseVaultAuthority, derived);
  loadMint(baseTokenMint, tokenProgram.address);
  loadTokenAccount(adminTokenAccount, { mint: baseTokenMint.address, authority: adminAuthority.address });

  ensure(decimals > 0, VAULT_CODES.tokenMintDecimalsIncorrect);
  const now = invocation.clock.unixTimestamp;
  account.write(
    vaultState.encode({
      vaultAdminAuthority: adminAuthority.address,
      allocationAdmin: adminAuthority.address,
      baseVaultAuthority: derived.address,
      baseVaultAuthorityBump: BigInt(derived.bump),
      tokenMint: baseTokenMint.address,
      tokenMintDecimals: BigInt(decimals),
      tokenVault: accounts.tokenVault.address,
      tokenProgram: tokenProgram.address,
      sharesMint: accounts.sharesMint.address,
      sharesMintDecimals: BigInt(decimals),
      creationTimestamp: now,
      lastFeeChargeTimestamp: now,
      depositCap: U64_MAX,
      tokenAvailable: FIRST_DEPOSIT,
      sharesIssued: FIRST_DEPOSIT,
      prevAumSf: wholeScaled(FIRST_DEPOSIT),
    }),
  );
  transferTokens(invocation, {
    source: adminTokenAccount,
    destination: accounts.tokenVault,
    mint: baseTokenMint,
    owner: adminAuthority.address,
    tokenProgram: tokenProgram.address,
    decimals,
    amount: FIRST_DEPOSIT,
  });
});

function openAccounts({ invocation, accounts }: InitCall, decimals: number): void {
  const { adminAuthority: payer, vaultState: account, baseTokenMint, tokenProgram } = accounts;
  const authority = accounts.baseVaultAuthority.address;
  loadTokenAccount(accounts.adminTokenAccount);
  checkProgram(accounts.systemProgram, SYSTEM_PROGRAM);
  checkSysvar(accounts.rent, RENT_SYSVAR);
  checkTokenProgram(tokenProgram);
  checkProgram(accounts.sharesTokenProgram, TOKEN_PROGRAM);
  checkZero(account);
  checkSeeds(accounts.tokenVault, vaultTokenVault(kvault, account.address));
  initTokenAccount(invocation, payer, accounts.tokenVault, baseTokenMint, {
    authority,
    tokenProgram: tokenProgram.address,
  });
  checkSeeds(accounts.sharesMint, sharesMint(kvault, account.address));
  initMint(invocation, payer, accounts.sharesMint, { decimals, authority });
}

/** `zero`: an account that the program owns and has not written yet. */
function checkZero({ data, owner }: InstructionAccount): void {
  ensure(data.length >= DISCRIMINATOR_BYTES, ANCHOR_ERRORS.accountDiscriminatorNotFound);
  ensure(
    data.subarray(0, DISCRIMINATOR_BYTES).every((byte) => byte === 0),
    ANCHOR_ERRORS.constraintZero,
  );
  ensure(owner === kvault, ANCHOR_ERRORS.accountOwnedByWrongProgram);
  ensure(data.length >= vaultState.size, ANCHOR_ERRORS.accountDidNotDeserialize);
}
