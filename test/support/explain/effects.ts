import type { AccountReader } from '@sluice/localnet/runtime/account-overlay';
import { userState } from '@sluice/protocol/farms/user-state';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { Rational } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { expect } from 'vitest';
import { debtUnits, depositUnits, ratiosOf, shareUnits } from '../lending/position-units.ts';
import type { Explainer } from './explainer.ts';

export interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

interface Amount {
  readonly amount: string;
  readonly baseUnits: string;
  readonly usd: string | null;
}

export interface PositionChange {
  readonly reserveAddress: Address;
  readonly before: Amount | null;
  readonly after: Amount | null;
}

export interface ObligationEffect {
  readonly address: Address;
  readonly ownerAddress: Address;
  readonly isOpened: boolean;
  readonly isClosed: boolean;
  readonly deposits: readonly PositionChange[];
  readonly borrows: readonly PositionChange[];
  readonly netValueUsd: Change;
  readonly loanToValue: Change;
  readonly healthFactor: Change;
  readonly liquidatable: { readonly before: boolean | null; readonly after: boolean | null };
  readonly unknown: string | null;
  readonly unknownReserveAddress: Address | null;
}

export interface VaultEffect {
  readonly vaultAddress: Address;
  readonly ownerAddress: Address;
  readonly isOpened: boolean;
  readonly isClosed: boolean;
  readonly totalShares: Change;
  readonly stakedShares: Change;
  readonly unstakedShares: Change;
  readonly value: { readonly before: Amount | null; readonly after: Amount | null };
  readonly unknown: string | null;
}

export interface Effects {
  readonly obligations: readonly ObligationEffect[] | null;
  readonly vaultPositions: readonly VaultEffect[] | null;
  readonly error: { readonly name: string | null; readonly message: string } | null;
  readonly slot: string;
}

const AMOUNT = '{ amount baseUnits usd }';
const AMOUNTS = `{ reserveAddress reserve { token { symbol } } before ${AMOUNT} after ${AMOUNT} }`;
const CHANGE = '{ before after }';
export const EFFECTS = `slot error { name message }
  obligations {
    address ownerAddress isOpened isClosed unknown unknownReserveAddress
    deposits ${AMOUNTS} borrows ${AMOUNTS}
    netValueUsd ${CHANGE} loanToValue ${CHANGE} healthFactor ${CHANGE} liquidatable ${CHANGE}
  }
  vaultPositions {
    vaultAddress ownerAddress isOpened isClosed unknown
    totalShares ${CHANGE} stakedShares ${CHANGE} unstakedShares ${CHANGE}
    value { before ${AMOUNT} after ${AMOUNT} }
  }`;

/** A published number of whole tokens, of base units. */
const published = (units: Rational, decimals: number) =>
  toDecimalString(units.div(Rational.of(10n ** BigInt(decimals))));

/** The chain computes ratios from prices with 60 bits. */
function expectRatio(text: string | null, ratio: Rational | null): void {
  if (ratio === null) {
    expect(text).toBeNull();
    return;
  }
  const found = parseDecimal(text ?? expect.fail('no ratio'));
  const distance = found.sub(ratio).abs();
  expect(distance.compare(Rational.of(1n, 10n ** 14n)), `${text}, not ${toDecimalString(ratio)}`).toBe(-1);
}

/**
 * An obligation has what the chain has after the transaction, from the bytes of its accounts. It is in no elevation group.
 *
 * @param decimals of the tokens, by reserve
 */
export function expectLeft(
  effect: ObligationEffect | undefined,
  after: AccountReader,
  decimals: Readonly<Record<Address, number>>,
): void {
  const { address, deposits, borrows, loanToValue, healthFactor, isClosed } =
    effect ?? expect.fail('no obligation');
  expect(isClosed).toBe(false);
  const check = (rows: readonly PositionChange[], unitsOf: typeof depositUnits, round: 'floor' | 'ceil') => {
    for (const { reserveAddress, after: amount } of rows) {
      const units = unitsOf(after, address, reserveAddress);
      const places = decimals[reserveAddress] ?? expect.fail(`no decimals of ${reserveAddress}`);
      expect(amount).toMatchObject({ amount: published(units, places), baseUnits: String(units[round]()) });
    }
  };
  check(deposits, depositUnits, 'floor');
  check(borrows, debtUnits, 'ceil');
  const ratios = ratiosOf(after, address);
  expectRatio(loanToValue.after, ratios.loanToValue);
  expectRatio(healthFactor.after, ratios.healthFactor);
}

interface ReadObligation {
  readonly deposits: readonly { readonly reserveAddress: Address; readonly amount: Amount }[];
  readonly borrows: readonly { readonly reserveAddress: Address; readonly amount: Amount }[];
  readonly stats: { readonly loanToValue: string };
  readonly healthFactor: string | null;
  readonly liquidatable: boolean;
}

const POSITION = `{ reserveAddress amount ${AMOUNT} }`;

/** An obligation as a query reads it in the present slot. */
export async function readObligation(explainer: Explainer, address: Address): Promise<ReadObligation> {
  const { obligation } = await explainer.query<{ obligation: ReadObligation }>(
    `{ obligation(address: "${address}") {
      deposits ${POSITION} borrows ${POSITION} healthFactor liquidatable stats { loanToValue }
    } }`,
  );
  return obligation;
}

/**
 * An obligation was what a query read before the transaction. The query has exact interest, the effects that of the program,
 * which has 60 bits after the point: they agree in base units.
 */
export function expectHad(effect: ObligationEffect | undefined, read: ReadObligation): void {
  const { deposits, borrows, ...rest } = effect ?? expect.fail('no obligation');
  const had = (rows: readonly PositionChange[]) =>
    rows
      .filter(({ before }) => before?.baseUnits !== '0')
      .map(({ reserveAddress, before }) => ({ reserveAddress, baseUnits: before?.baseUnits }));
  const has = (rows: ReadObligation['deposits']) =>
    rows.map(({ reserveAddress, amount: { baseUnits } }) => ({ reserveAddress, baseUnits }));
  expect(had(deposits)).toEqual(has(read.deposits));
  expect(had(borrows)).toEqual(has(read.borrows));
  expect(rest).toMatchObject({ isOpened: false, liquidatable: { before: read.liquidatable } });
  const ratio = (text: string | null) => (text === null ? null : parseDecimal(text));
  expectRatio(rest.healthFactor.before, ratio(read.healthFactor));
  expectRatio(rest.loanToValue.before, ratio(read.stats.loanToValue));
}

/** Base units of a share, in the generated world. */
const SHARE_UNITS = 1_000_000n;

/**
 * A vault position has what the chain has after the transaction, from the bytes of its accounts.
 *
 * @param held token accounts of the shares; the first is the associated one
 */
export function expectSharesLeft(
  effect: VaultEffect | undefined,
  after: AccountReader,
  held: readonly Address[],
  stake: Address,
): void {
  const { vaultAddress: vault, ...changes } = effect ?? expect.fail('no vault position');
  const { farms, kvault } = MAINNET_PROGRAMS;
  const state = vaultState.decode(after.get(vault) ?? expect.fail('no vault'), kvault);
  const decimals = Number(state.sharesMintDecimals);
  const unstaked = held
    .flatMap((address) => after.get(address) ?? [])
    .reduce((sum, account) => sum + decodeTokenAccount(account).amount, 0n);
  const user = after.get(stake);
  const scaled = user === undefined ? 0n : userState.decode(user, farms).activeStakeScaled;
  const staked = scaled / 10n ** 18n;
  expect(changes.totalShares.after).toBe(published(Rational.of(staked + unstaked), decimals));
  expect(changes.stakedShares.after).toBe(published(Rational.of(staked), decimals));
  expect(changes.unstakedShares.after).toBe(published(Rational.of(unstaked), decimals));
}

/** The value of the shares that are left, where the transaction refreshes the vault and its reserves. */
export function expectValueLeft(effect: VaultEffect | undefined, after: AccountReader): void {
  const { vaultAddress, totalShares, value } = effect ?? expect.fail('no vault position');
  const shares = parseDecimal(totalShares.after ?? '').mul(Rational.of(SHARE_UNITS));
  const units = shareUnits(after, vaultAddress, shares.floor());
  expect(value.after?.baseUnits).toBe(String(units.floor()));
}

interface ReadPosition {
  readonly totalShares: string;
  readonly stakedShares: string;
  readonly unstakedShares: string;
  readonly value: Amount;
}

/** A vault position was what a query reads in the present slot. Ask before the transaction is sent. */
export async function expectSharesHad(effect: VaultEffect | undefined, explainer: Explainer): Promise<void> {
  const { vaultAddress, ownerAddress, ...changes } = effect ?? expect.fail('no vault position');
  const { vault } = await explainer.query<{ vault: { position: ReadPosition } }>(
    `{ vault(address: "${vaultAddress}") { position(wallet: "${ownerAddress}") {
      totalShares stakedShares unstakedShares value ${AMOUNT} } } }`,
  );
  const { totalShares, stakedShares, unstakedShares, value } = vault.position;
  expect(changes).toMatchObject({
    totalShares: { before: totalShares },
    stakedShares: { before: stakedShares },
    unstakedShares: { before: unstakedShares },
    value: { before: value },
  });
}
