import { FIRST_DEPOSIT, vaultState } from '@sluice/protocol/kvault/vault-state';
import { U64_MAX, wholeScaled } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { rentExemptLamports } from '@sluice/protocol/sysvar/rent';
import { accountSize, extensionBytes, requiredExtensions } from '@sluice/protocol/token/account-size';
import { EXTENSION_TYPE } from '@sluice/protocol/token/extension-types';
import { encodeMint } from '@sluice/protocol/token/mint';
import { encodeTokenAccount, TOKEN_ACCOUNT_BYTES } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { toTokens } from '../../domain/arithmetic.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { type Change, NO_FIGURES, type Preview, type PreviewAmount } from '../preview.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { SOL_DECIMALS } from '../token-instructions.ts';
import { moveTokens } from '../wallet-changes.ts';
import { balanceWarnings, wrappedSolWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { rentFromWallet } from './allocation.ts';
import type { NewVault } from './new-vault.ts';

const sharesBytes = ({ authority, token }: NewVault): Uint8Array =>
  encodeMint({
    mintAuthority: authority.address,
    supply: 0n,
    decimals: token.decimals,
    freezeAuthority: null,
    extensions: [],
  });

/** Lamports that an address lacks for the rent of its account. */
const missingRent = ({ lamportsOf }: NewVault, address: Address, size: number): bigint =>
  atLeastZero(rentExemptLamports(size) - lamportsOf(address));

/** Rent that the wallet pays: the vault program accepts no other payer for the accounts that it opens. */
function walletRent(made: NewVault): bigint {
  const { wallet, payer, vault, token } = made;
  const opened =
    missingRent(made, made.tokenVault, accountSize(token, [], token.tokenProgram)) +
    missingRent(made, made.sharesMint, sharesBytes(made).length);
  return payer === wallet ? opened + missingRent(made, vault, vaultState.size) : opened;
}

/** A vault that exists only afterwards. */
export function creationPreview(made: NewVault): Preview {
  const { mint, token, vault } = made;
  const only = (after: Rational): Change => ({ before: null, after });
  const first = toTokens(integer(FIRST_DEPOSIT), BigInt(token.decimals));
  const rent: PreviewAmount = { mint: WRAPPED_SOL_MINT, decimals: SOL_DECIMALS, amount: walletRent(made) };
  return {
    ...NO_FIGURES,
    vault: {
      vault,
      allocations: [],
      idleTokens: only(first),
      targetIdleTokens: only(first),
      pendingFees: only(ZERO),
      rewardsAvailable: only(ZERO),
      settings: [],
      paid: { mint, decimals: token.decimals, amount: FIRST_DEPOSIT },
      received: null,
      rent,
    },
    warnings: creationWarnings(made, rent.amount),
  };
}

function creationWarnings(made: NewVault, rent: bigint): BuildWarning[] {
  const { wallet, payer, vault, mint, token, source, isSol, closes, lamportsOf } = made;
  const lamports = lamportsOf(wallet);
  const tokens = isSol
    ? balanceWarnings(lamports, rent + FIRST_DEPOSIT, SOL_DECIMALS, 'SOL for rent and the first deposit')
    : [
        ...balanceWarnings(source.account?.amount ?? 0n, FIRST_DEPOSIT, token.decimals, `of token ${mint}`),
        ...balanceWarnings(lamports, rent, SOL_DECIMALS, 'SOL for rent'),
      ];
  const signs = `The key pair of the new vault ${vault} must sign the transaction, besides the wallet.`;
  return [
    ...tokens,
    ...(payer === wallet ? [] : [rentFromWallet('for its tokens, and of the mint of its shares')]),
    warning('NEW_VAULT_SIGNS', signs),
    ...wrappedSolWarnings(
      source,
      isSol ? (closes ? 'closed' : 'open') : null,
      'The wrapped-SOL account stays open.',
    ),
  ];
}

/** The accounts of the vault, and the wallet's tokens. */
export function creationChanges(made: NewVault, read: ReadAccounts, timestamp: bigint): AccountChanges {
  const { wallet, payer, vault, programId, mint, token, authority, source, isSol, closes } = made;
  const { tokenProgram } = token;
  const decimals = BigInt(token.decimals);
  const changes = new ChangedAccounts(read, payer);
  moveTokens(changes, {
    account: source.address,
    key: { owner: wallet, mint, tokenProgram },
    opens: isSol,
    wrapped: isSol ? FIRST_DEPOSIT : 0n,
    change: -FIRST_DEPOSIT,
    closes,
  });
  const state = vaultState.encode({
    vaultAdminAuthority: wallet,
    allocationAdmin: wallet,
    baseVaultAuthority: authority.address,
    baseVaultAuthorityBump: BigInt(authority.bump),
    tokenMint: mint,
    tokenMintDecimals: decimals,
    tokenVault: made.tokenVault,
    tokenProgram,
    sharesMint: made.sharesMint,
    sharesMintDecimals: decimals,
    tokenAvailable: FIRST_DEPOSIT,
    sharesIssued: FIRST_DEPOSIT,
    prevAumSf: wholeScaled(FIRST_DEPOSIT),
    lastFeeChargeTimestamp: timestamp,
    creationTimestamp: timestamp,
    depositCap: U64_MAX,
  });
  changes.create(vault, programId, state);
  const nativeRent = isSol ? rentExemptLamports(TOKEN_ACCOUNT_BYTES) : null;
  const holding = encodeTokenAccount({
    mint,
    owner: authority.address,
    // What somebody has sent to the address above its rent is wrapped SOL from then on.
    amount: nativeRent === null ? 0n : atLeastZero(made.lamportsOf(made.tokenVault) - nativeRent),
    delegate: null,
    delegatedAmount: 0n,
    frozen: false,
    nativeRentLamports: nativeRent,
    closeAuthority: null,
    extensions: requiredExtensions(token).map((name) => ({
      type: EXTENSION_TYPE[name],
      data: new Uint8Array(extensionBytes(name)),
    })),
  });
  changes.create(made.tokenVault, tokenProgram, holding, wallet);
  changes.addTokens(made.tokenVault, FIRST_DEPOSIT);
  changes.create(made.sharesMint, TOKEN_PROGRAM, sharesBytes(made), wallet);
  return changes.changes;
}
