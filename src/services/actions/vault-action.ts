import type { Address } from '@solana/kit';
import { type Action, type ActionKind, once } from '../../builders/action.ts';
import {
  type Build,
  buildVaultEntry,
  buildVaultExit,
  type ShareAmountInput,
} from '../../builders/actions.ts';
import type { AmountInput } from '../../builders/amount.ts';
import type { ActionOptions } from '../../builders/built-instruction.ts';
import { type VaultAccounts, vaultAccounts } from '../../builders/vault/accounts.ts';
import { firstVaultReads, secondVaultReads } from '../../builders/vault/request.ts';
import { buildStakeShares } from '../../builders/vault/stake.ts';
import { buildUnstakeShares } from '../../builders/vault/unstake.ts';
import type { Moment } from '../../domain/moment.ts';
import { expectedVaultReads } from '../expected-reads.ts';
import type { Session } from '../records.ts';
import { walletTokenAccount } from './wallet-token.ts';

export interface VaultActionRequest<Amount> extends ActionOptions {
  readonly wallet: Address;
  readonly vault: Address;
  readonly amount: Amount;
}

/** A deposit into a vault. */
export function vaultDepositAction(session: Session, request: VaultActionRequest<AmountInput>): Action {
  return vaultAction(session, 'VAULT_DEPOSIT', request, (accounts, moment) =>
    buildVaultEntry(accounts, request.amount, moment, optionsOf(request)),
  );
}

/** A withdrawal from a vault. */
export function vaultWithdrawAction(session: Session, request: VaultActionRequest<ShareAmountInput>): Action {
  return vaultAction(session, 'VAULT_WITHDRAW', request, (accounts, moment) =>
    buildVaultExit(accounts, request.amount, moment, optionsOf(request)),
  );
}

/** Stakes shares of a vault in its farm. */
export function stakeSharesAction(session: Session, request: VaultActionRequest<ShareAmountInput>): Action {
  return vaultAction(session, 'STAKE_SHARES', request, (accounts, moment) =>
    buildStakeShares(accounts, request.amount, moment),
  );
}

/** Unstakes shares of a vault from its farm. */
export function unstakeSharesAction(session: Session, request: VaultActionRequest<ShareAmountInput>): Action {
  return vaultAction(session, 'UNSTAKE_SHARES', request, (accounts, moment) =>
    buildUnstakeShares(accounts, request.amount, moment),
  );
}

const optionsOf = ({ unwrapSol }: ActionOptions): ActionOptions =>
  unwrapSol === undefined ? {} : { unwrapSol };

/** An action on the accounts of a vault. */
export function vaultAction(
  session: Session,
  kind: ActionKind,
  { wallet, vault }: Pick<VaultActionRequest<unknown>, 'wallet' | 'vault'>,
  build: (accounts: VaultAccounts, moment: Moment) => Build,
): Action {
  const request = { wallet, vault, programs: session.programs, lookupTables: [] };
  return {
    kind,
    wallet,
    named: firstVaultReads(request),
    expected: expectedVaultReads(session, request),
    needed: (read) => secondVaultReads(request, read),
    build(read, { slot, moment, payer, fresh }) {
      const accounts = vaultAccounts(request, read, slot, payer);
      const built = build(accounts, moment);
      const { token, shares, vault: state } = accounts;
      return {
        kind,
        action: built.action,
        tables: accounts.tables,
        walletTokens: [
          walletTokenAccount(token, state.tokenMint, state.tokenMintDecimals),
          walletTokenAccount(shares, state.sharesMint, state.sharesMintDecimals),
        ],
        preview: once(() => built.preview()),
        after: once(() => built.after(read)),
        fresh: built.fresh(fresh),
        about: { account: vault, pool: vault, side: 'shares' },
      };
    },
  };
}
