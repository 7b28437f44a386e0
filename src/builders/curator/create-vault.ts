import { supportsMint } from '@sluice/protocol/klend/supported-extensions';
import { sharesMint, vaultAuthority, vaultTokenVault } from '@sluice/protocol/kvault/addresses';
import { FIRST_DEPOSIT } from '@sluice/protocol/kvault/vault-state';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { startsFrozen } from '@sluice/protocol/token/extensions';
import { decodeMint, type Mint } from '@sluice/protocol/token/mint';
import type { Address } from '@solana/kit';
import { isCodedError } from '../../errors/sluice-error.ts';
import { type Action, once, walletTokenAccount } from '../action.ts';
import type { ActionOptions } from '../built-instruction.ts';
import type { KnownAccounts } from '../known-accounts.ts';
import { distinct, type ReadAccounts, walletToken } from '../read-accounts.ts';
import { closesWrappedSol } from '../token-instructions.ts';
import type { CuratorRequest } from './action.ts';
import { creationChanges, creationPreview } from './create-vault-effect.ts';
import { creationInstructions } from './create-vault-instructions.ts';
import type { NewVault } from './new-vault.ts';
import { refused } from './refusals.ts';

export interface CreateVaultRequest extends CuratorRequest, ActionOptions {
  /** Mint of the token that the vault accepts. */
  readonly mint: Address;
}

/**
 * A new vault for a token. Its address is that of a key pair of the caller, which must sign too.
 *
 * @example
 * createVaultAction(known, { wallet, vault: keyPair.address, mint });
 */
export function createVaultAction(known: KnownAccounts, request: CreateVaultRequest): Action {
  const { wallet, vault, mint, unwrapSol } = request;
  const { kvault } = known.programs;
  const tokenVault = vaultTokenVault(kvault, vault).address;
  const shares = sharesMint(kvault, vault).address;
  const sourceOf = (tokenProgram: Address) => associatedTokenAddress(wallet, tokenProgram, mint).address;
  return {
    wallet,
    named: distinct([vault, mint, wallet, tokenVault, shares]),
    expected: [sourceOf(TOKEN_PROGRAM)],
    needed: (read) => [sourceOf(mintAt(read, mint).tokenProgram)],
    build(read, { moment, payer, fresh }) {
      checkAddress(read, request);
      const token = checkedMint(read, mint);
      const source = walletToken(read, sourceOf(token.tokenProgram));
      const isSol = mint === WRAPPED_SOL_MINT && token.tokenProgram === TOKEN_PROGRAM;
      const made: NewVault = {
        wallet,
        payer,
        vault,
        programId: kvault,
        mint,
        token,
        authority: vaultAuthority(kvault, vault),
        tokenVault,
        sharesMint: shares,
        source,
        isSol,
        closes: isSol && closesWrappedSol('out', source, unwrapSol),
        lamportsOf: (address) => read(address)?.lamports ?? 0n,
      };
      return {
        kind: 'CREATE_VAULT',
        action: {
          amount: FIRST_DEPOSIT,
          all: false,
          wrappedSol: isSol ? (made.closes ? 'closed' : 'open') : null,
          instructions: creationInstructions(made),
        },
        tables: [],
        walletTokens: [walletTokenAccount(source, mint, BigInt(token.decimals))],
        preview: once(() => creationPreview(made)),
        after: once(() => creationChanges(made, read, moment.timestamp)),
        fresh,
        about: { account: vault, pool: vault, side: 'shares' },
      };
    },
  };
}

/** The account is created at an address that has never held anything. @throws BUILD_REFUSED */
function checkAddress(read: ReadAccounts, { wallet, vault }: CreateVaultRequest): void {
  if (vault === wallet) throw refused('a vault needs an address of its own: create a key pair for it');
  if (read(vault) !== null) {
    throw refused(`address ${vault} is in use: create a new key pair for the vault, and pass its address`);
  }
}

/** @throws BUILD_REFUSED for an account that is no mint */
function mintAt(read: ReadAccounts, address: Address): Mint {
  const account = read(address);
  if (account === null) throw refused(`there is no mint at ${address}`);
  try {
    return decodeMint(account);
  } catch (error) {
    if (isCodedError(error)) throw refused(`account ${address} is no mint of a token`);
    throw error;
  }
}

/** @throws BUILD_REFUSED for a token with which a vault could not work */
function checkedMint(read: ReadAccounts, address: Address): Mint {
  const mint = mintAt(read, address);
  if (mint.decimals === 0) {
    throw refused(
      `the vault program accepts no token without decimals, as that of mint ${address} is (7018 TokenMintDecimalsIncorrect)`,
    );
  }
  if (!supportsMint(mint)) {
    throw refused(
      `mint ${address} has extensions of Token-2022 that the lending program does not accept, so that a vault could not lend its token`,
    );
  }
  if (startsFrozen(mint)) {
    throw refused(`mint ${address} freezes new accounts, so that a vault could not receive its token`);
  }
  return mint;
}
