import { ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { PreviewAnswer, RolloverTerms } from './build.ts';
import { type Figures, figure, NONE } from './figures.ts';
import { type Ask, whole } from './gateway.ts';

interface Amount {
  readonly amount: string;
}

interface VaultAnswer {
  readonly vault: {
    readonly position: {
      readonly totalShares: string;
      readonly stakedShares: string;
      readonly unstakedShares: string;
      readonly value: Amount | null;
    } | null;
  } | null;
}

const VAULT = `query Position($vault: Address!, $wallet: Address!) {
  vault(address: $vault) { position(wallet: $wallet) { totalShares stakedShares unstakedShares value { amount } } }
}`;

/** The wallet's position in the vault. */
export async function vaultPosition(ask: Ask, wallet: Address, vault: Address): Promise<Figures> {
  const position = whole(await ask<VaultAnswer>(VAULT, { vault, wallet })).vault?.position ?? null;
  if (position === null) return { tokens: ZERO, shares: ZERO };
  return {
    tokens: figure(position.value?.amount),
    shares: figure(position.totalShares),
    stakedShares: figure(position.stakedShares),
    unstakedShares: figure(position.unstakedShares),
  };
}

interface Row {
  readonly reserveAddress: string;
  readonly amount: Amount | null;
}

interface LoanAnswer {
  readonly obligation: {
    readonly healthFactor: string | null;
    readonly elevationGroup: { readonly number: number } | null;
    readonly deposits: readonly Row[];
    readonly borrows: readonly (Row & { readonly rollover: RolloverTerms })[];
    readonly borrowOrders: readonly { readonly index: number; readonly description: string }[];
    readonly ownershipTransfer: { readonly newOwner: Address } | null;
    readonly orders: readonly { readonly index: number; readonly description: string }[];
  } | null;
}

const LOAN = `query Loan($address: Address!) {
  obligation(address: $address) {
    healthFactor
    elevationGroup { number }
    deposits { reserveAddress amount { amount } }
    borrows {
      reserveAddress amount { amount }
      rollover { enabled maxBorrowRateBps minTermSeconds openTermAllowed }
    }
    orders { index description }
    borrowOrders { index description }
    ownershipTransfer { newOwner }
  }
}`;

/** The program closes an empty obligation; its address then has another owner or no account. */
const CLOSED: readonly string[] = ['ACCOUNT_NOT_FOUND', 'ACCOUNT_WRONG_OWNER', 'KLEND_OBLIGATION_NOT_FOUND'];

async function loanOf(ask: Ask, address: Address): Promise<LoanAnswer['obligation']> {
  const answer = await ask<LoanAnswer>(LOAN, { address });
  const [error] = answer.errors;
  return error !== undefined && CLOSED.includes(error.code) ? null : whole(answer).obligation;
}

/** The obligation's deposit or debt in a reserve, and its health. */
export async function lendingPosition(
  ask: Ask,
  address: Address,
  reserve: Address,
  side: 'deposits' | 'borrows',
): Promise<Figures> {
  const loan = await loanOf(ask, address);
  const row = loan?.[side].find(({ reserveAddress }) => reserveAddress === reserve);
  return {
    tokens: row === undefined ? ZERO : figure(row.amount?.amount),
    healthFactor: figure(loan?.healthFactor),
  };
}

export const rolloverText = (terms: RolloverTerms | undefined): string =>
  terms === undefined
    ? NONE
    : `${terms.enabled ? 'on' : 'off'}, at most ${terms.maxBorrowRateBps} bps, at least ${terms.minTermSeconds} s${terms.openTermAllowed ? ' or no term' : ''}`;

export async function rolloverOf(ask: Ask, address: Address, reserve: Address): Promise<Figures> {
  const borrows = (await loanOf(ask, address))?.borrows ?? [];
  return {
    rollover: rolloverText(borrows.find(({ reserveAddress }) => reserveAddress === reserve)?.rollover),
  };
}

export async function elevationGroupOf(ask: Ask, address: Address): Promise<Figures> {
  return { elevationGroup: figure(String((await loanOf(ask, address))?.elevationGroup?.number ?? 0)) };
}

export async function orderOf(ask: Ask, address: Address, { order }: PreviewAnswer): Promise<Figures> {
  const orders = (await loanOf(ask, address))?.orders ?? [];
  return { order: orders.find(({ index }) => index === order?.index)?.description ?? NONE };
}

/** Borrow order 0. */
export async function borrowOrderOf(ask: Ask, address: Address): Promise<Figures> {
  const orders = (await loanOf(ask, address))?.borrowOrders ?? [];
  return { order: orders.find(({ index }) => index === 0)?.description ?? NONE };
}

export async function newOwnerOf(ask: Ask, address: Address): Promise<Figures> {
  return { newOwner: (await loanOf(ask, address))?.ownershipTransfer?.newOwner ?? NONE };
}

interface InvestedAnswer {
  readonly vault: {
    readonly allocations: readonly { readonly reserveAddress: Address; readonly invested: Amount | null }[];
  } | null;
}

const INVESTED = `query Invested($vault: Address!) {
  vault(address: $vault) { allocations { reserveAddress invested { amount } } }
}`;

/** Tokens of the vault in a reserve. */
export async function investedIn(ask: Ask, vault: Address, reserve: Address | null): Promise<Figures> {
  const { allocations = [] } = whole(await ask<InvestedAnswer>(INVESTED, { vault })).vault ?? {};
  return {
    tokens: figure(allocations.find(({ reserveAddress }) => reserveAddress === reserve)?.invested?.amount),
  };
}

/** Settings of a vault that can be read back, by their names in a preview. */
const SETTING_FIELDS = {
  NAME: 'name',
  PERFORMANCE_FEE_BPS: 'performanceFeeBps',
  MANAGEMENT_FEE_BPS: 'managementFeeBps',
  PENDING_ADMIN: 'pendingAdmin',
  ADMIN: 'vaultAdminAuthority',
} as const;

/** The settings of a preview with their values, of which `read` is asked. */
export const settingsText = (
  { vault }: PreviewAnswer,
  read: (setting: keyof typeof SETTING_FIELDS, after: string | null) => string | null,
): string =>
  (vault?.settings ?? [])
    .flatMap(({ setting, after }) => (isReadBack(setting) ? `${setting} ${read(setting, after)}` : []))
    .sort()
    .join(', ');

const isReadBack = (setting: string): setting is keyof typeof SETTING_FIELDS => setting in SETTING_FIELDS;

interface CuratedAnswer {
  readonly vault: {
    readonly state: Readonly<Record<(typeof SETTING_FIELDS)[keyof typeof SETTING_FIELDS], string>>;
    readonly fees: { readonly pending: Amount };
    readonly allocations: readonly {
      readonly reserveAddress: Address;
      readonly targetWeight: string;
      readonly invested: Amount | null;
    }[];
  } | null;
}

const CURATED = `query Curated($vault: Address!) {
  vault(address: $vault) {
    state { ${Object.values(SETTING_FIELDS).join(' ')} }
    fees { pending { amount } }
    allocations { reserveAddress targetWeight invested { amount } }
  }
}`;

/** What the admin of a vault changes: the settings of the preview, weight and tokens of a reserve, fees. */
export async function curatedVault(
  ask: Ask,
  address: Address,
  reserve: Address,
  preview: PreviewAnswer,
): Promise<Figures> {
  const { vault } = whole(await ask<CuratedAnswer>(CURATED, { vault: address }));
  if (vault === null) return {};
  const allocation = vault.allocations.find(({ reserveAddress }) => reserveAddress === reserve);
  return {
    tokens: figure(allocation?.invested?.amount) ?? ZERO,
    weight: figure(allocation?.targetWeight) ?? ZERO,
    fees: figure(vault.fees.pending.amount),
    settings: settingsText(preview, (setting) => vault.state[SETTING_FIELDS[setting]]),
  };
}

interface WalletAnswer {
  readonly wallet: {
    readonly withdrawTickets: { readonly nodes: readonly (Ticket | null)[] } | null;
    readonly referrer: Address | null;
    readonly referralFees: readonly FeeAccount[] | null;
  };
}

export interface Ticket {
  readonly address: Address;
  readonly collateral: string;
  readonly state: string;
}

export interface FeeAccount {
  readonly reserveAddress: Address;
  readonly claimable: Amount;
}

const WALLET = `query Wallet($wallet: Address!) {
  wallet(address: $wallet) {
    withdrawTickets { nodes { address collateral state } }
    referrer
    referralFees { reserveAddress claimable { amount } }
  }
}`;

const walletOf = async (ask: Ask, wallet: Address) =>
  whole(await ask<WalletAnswer>(WALLET, { wallet })).wallet;

export const ticketsOf = async (ask: Ask, wallet: Address): Promise<readonly Ticket[]> =>
  ((await walletOf(ask, wallet)).withdrawTickets?.nodes ?? []).filter((ticket) => ticket !== null);

export async function ticketFigures(ask: Ask, wallet: Address, preview: PreviewAnswer): Promise<Figures> {
  const tickets = await ticketsOf(ask, wallet);
  const ticket = tickets.find(({ address }) => address === preview.withdrawQueue?.ticket);
  return { queued: figure(ticket?.collateral) ?? ZERO };
}

export const feeAccountsOf = async (ask: Ask, wallet: Address): Promise<readonly FeeAccount[]> =>
  (await walletOf(ask, wallet)).referralFees ?? [];

export async function referrerOf(ask: Ask, wallet: Address): Promise<Figures> {
  return { referrer: (await walletOf(ask, wallet)).referrer ?? NONE };
}

interface BalanceAnswer {
  readonly wallet: { readonly balances: readonly Amount[] | null };
}

const BALANCE = `query Balance($wallet: Address!, $mints: [Address!]) {
  wallet(address: $wallet) { balances(mints: $mints) { amount } }
}`;

/** Tokens of one mint in the wallet. */
export async function balanceOf(ask: Ask, wallet: Address, mint: Address | undefined): Promise<Figures> {
  if (mint === undefined) return {};
  const { balances } = whole(await ask<BalanceAnswer>(BALANCE, { wallet, mints: [mint] })).wallet;
  return { balance: figure(balances?.[0]?.amount) };
}
