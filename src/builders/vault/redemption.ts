import type { Reserve } from '@sluice/protocol/klend/reserve';
import { ceilScaled, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { Instant, Moment } from '../../domain/moment.ts';
import { usedAllocations } from '../../domain/vault.ts';
import { type RedemptionTerms, redemptionTerms } from '../../domain/vault-redemption.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { Amount } from '../amount.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { changed } from '../changed-account.ts';
import type { ReadAccounts, WalletToken } from '../read-accounts.ts';
import type { VaultAccounts } from './accounts.ts';
import { burnShares, changeVault } from './changes.ts';
import { opened, refreshed, type VaultEffect } from './effects.ts';
import type { VaultOutcome } from './preview.ts';
import { noShares, releaseForWithdrawal, stakeOf } from './share-release.ts';
import { walletShares } from './withdraw.ts';

/** All inputs of a redemption in kind. */
export interface RedemptionAccounts {
  readonly vault: VaultAccounts;
  /** The reserve whose collateral tokens are paid. */
  readonly reserve: Address;
  /** The wallet's account of these collateral tokens. */
  readonly collateral: WalletToken;
}

/** What happens to the wallet's shares. */
export interface Redemption {
  /** Base units of shares that the instruction names. */
  readonly named: bigint;
  /** Base units of shares in the wallet when it runs. */
  readonly held: bigint;
  readonly terms: RedemptionTerms;
  readonly outcome: VaultOutcome;
}

/** The exchange of shares, with those that leave the farm before it. */
export function redeemed(
  { vault: accounts, reserve }: RedemptionAccounts,
  asked: Amount,
  at: Moment,
): Redemption {
  const release = releaseForWithdrawal(accounts, asked, at);
  const held = walletShares(accounts).unstaked + (release?.received ?? 0n);
  if (asked === 'all' && held === 0n) throw noShares(accounts, stakeOf(accounts, at));
  const named = asked === 'all' ? U64_MAX : asked;
  const { terms, effect } = redemptionEffect(accounts, reserve, lesser(named, held), at);
  return { named, held, terms, outcome: { ...effect, release, terms: null } };
}

/** The vault after a redemption of shares. A refused one changes nothing. */
export function redemptionEffect(
  accounts: VaultAccounts,
  reserve: Address,
  shares: bigint,
  at: Instant,
): { readonly terms: RedemptionTerms; readonly effect: VaultEffect } {
  const reserves = refreshed(accounts, at);
  const { vault, reserves: rates, aumSf } = opened({ vault: accounts.vault, reserves }, at.timestamp);
  const allocation = usedAllocations(vault).find((each) => each.reserve === reserve);
  const rate = rates.get(reserve);
  if (allocation === undefined || rate === undefined) throw notAllocated(accounts, reserve);
  const held = allocation.ctokenAllocation;
  const terms = redemptionTerms(vault, accounts.globalConfig, { shares, aumSf, rate, held });
  const nothing = { reserves, shares: 0n, tokens: 0n, penalty: 0n, crankFee: 0n };
  if (terms.refusal !== null) {
    return { terms, effect: { ...nothing, vault: accounts.vault, refused: true } };
  }
  const effect: VaultEffect = {
    ...nothing,
    vault: changed(vault, {
      sharesIssued: vault.sharesIssued - terms.shares,
      vaultAllocationStrategy: vault.vaultAllocationStrategy.map((each) =>
        each.reserve === reserve ? changed(each, { ctokenAllocation: held - terms.collateral }) : each,
      ),
      prevAumSf: atLeastZero(aumSf - terms.valueSf),
    }),
    shares: terms.shares,
    penalty: ceilScaled(terms.penaltySf),
    refused: false,
  };
  return { terms, effect };
}

/** @throws BUILD_REFUSED when the vault has never used the reserve */
export function reserveOf({ vault, reserve }: RedemptionAccounts): Reserve {
  const account = vault.reserves.get(reserve);
  if (account === undefined) throw notAllocated(vault, reserve);
  return account;
}

function notAllocated({ request }: VaultAccounts, reserve: Address): SluiceError {
  return new SluiceError('BUILD_REFUSED', {
    reason: `vault ${request.vault} does not lend to reserve ${reserve}`,
  });
}

/** The accounts after a redemption: the vault, the wallet's shares and stake, and its collateral tokens. */
export function redemptionChanges(
  accounts: RedemptionAccounts,
  { terms, outcome }: Redemption,
  action: BuiltAction,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { vault, collateral } = accounts;
  const changes = new ChangedAccounts(read, vault.payer);
  changeVault(changes, vault, outcome);
  burnShares(changes, vault, action, outcome, moment);
  changes.openTokens(collateral.address, {
    owner: vault.request.wallet,
    mint: reserveOf(accounts).collateral.mintPubkey,
    tokenProgram: TOKEN_PROGRAM,
  });
  changes.addTokens(collateral.address, terms.collateral);
  return changes.changes;
}
