import { farmState } from '@sluice/protocol/farms/farm-state';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { AccountLayout } from '@sluice/protocol/layout/account';
import type { Fields, StructOf } from '@sluice/protocol/layout/struct';
import { MAINNET_PROGRAMS, presentAddress, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { decodeMint } from '@sluice/protocol/token/mint';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { decodedOnce } from '../../../src/builders/read-accounts.ts';
import { farmRewards } from '../../../src/domain/rewards.ts';
import { type ChainBook, circulating, isTokenAccount } from './chain-book.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
/** Collateral tokens that each reserve of the world has kept since it was opened. They belong to no obligation. */
const SEED_COLLATERAL = 100_000n;

/** By mint: base units of a token that exist outside the chain's accounts. The world tells only part of each token's. */
export type SupplyElsewhere = ReadonlyMap<Address, bigint>;

export function supplyElsewhere(book: ChainBook, tokens: Iterable<Address>): SupplyElsewhere {
  return new Map([...tokens].map((mint) => [mint, circulating(book.at(mint)) - book.held.of(mint)]));
}

/**
 * The laws that the accounts break, in words. Tokens: what a mint accounts for is held somewhere. Reserves: the vault holds the
 * available liquidity, and with the law of tokens every collateral token is a deposit of an obligation or in a wallet.
 */
export function brokenLaws(book: ChainBook, elsewhere: SupplyElsewhere): string[] {
  return [
    ...[...book.mints].flatMap((address) => mintLaws(book, address, elsewhere.get(address) ?? 0n)),
    ...[...book.reserves].flatMap((address) => reserveLaws(book, address)),
    ...[...book.vaults].flatMap((address) => vaultLaws(book, address)),
    ...[...book.farms].flatMap((address) => farmLaws(book, address)),
  ];
}

/**
 * Wrapped SOL is worth the lamports of its account. Those of wallets may have more, because a wallet may add lamports without
 * counting them.
 */
export function wrappedSolLaws(
  book: ChainBook,
  addresses: Iterable<Address>,
  wallets: ReadonlySet<Address>,
): string[] {
  return [...addresses].flatMap((address) => {
    const account = book.get(address);
    if (account === undefined || !isTokenAccount(account)) return [];
    const { amount, nativeRentLamports, owner } = decodeTokenAccount(account);
    if (nativeRentLamports === null) return [];
    const counted = amount + nativeRentLamports;
    if (wallets.has(owner) && account.lamports > counted) return [];
    return equal(`lamports of wrapped SOL ${address}`, account.lamports, counted);
  });
}

function mintLaws(book: ChainBook, address: Address, elsewhere: bigint): string[] {
  // Its mint does not count the lamports that are wrapped.
  if (address === WRAPPED_SOL_MINT) return [];
  return equal(`supply of ${address}`, circulatingOnce(book, address), book.held.of(address) + elsewhere);
}

function reserveLaws(book: ChainBook, address: Address): string[] {
  const { liquidity, collateral } = decoded(book, address, reserve, klend);
  const { mintTotalSupply, mintPubkey, supplyVault } = collateral;
  return [
    ...equal(
      `liquidity of reserve ${address}`,
      liquidity.totalAvailableAmount + liquidity.rewardsAmountAvailable,
      balance(book, liquidity.supplyVault),
    ),
    ...equal(`collateral of reserve ${address}`, mintTotalSupply, supplyOf(book, mintPubkey)),
    ...equal(
      `deposits in reserve ${address}`,
      balance(book, supplyVault),
      book.deposited.of(address) + SEED_COLLATERAL,
    ),
  ];
}

function vaultLaws(book: ChainBook, address: Address): string[] {
  const vault = decoded(book, address, vaultState, kvault);
  const { tokenAvailable, availableCrankFunds, tokenVault, sharesIssued, sharesMint } = vault;
  return [
    ...equal(`shares of vault ${address}`, sharesIssued, supplyOf(book, sharesMint)),
    ...equal(
      `idle tokens of vault ${address}`,
      tokenAvailable + availableCrankFunds,
      balance(book, tokenVault),
    ),
    ...vault.vaultAllocationStrategy.flatMap(({ reserve: invested, ctokenVault, ctokenAllocation }) =>
      presentAddress(invested) === null
        ? []
        : equal(
            `collateral of vault ${address} in ${invested}`,
            ctokenAllocation,
            balance(book, ctokenVault),
          ),
    ),
  ];
}

function farmLaws(book: ChainBook, address: Address): string[] {
  const farm = decoded(book, address, farmState, farms);
  return [
    ...equal(`active stake in farm ${address}`, farm.totalActiveStakeScaled, book.staked.of(address)),
    ...equal(`pending stake in farm ${address}`, farm.totalPendingStakeScaled, book.pending.of(address)),
    ...(presentAddress(farm.token.mint) === null
      ? []
      : equal(
          `tokens of farm ${address}`,
          farm.totalStakedAmount + farm.totalPendingAmount,
          balance(book, farm.farmVault),
        )),
    ...farmRewards(farm).flatMap(({ info, index }) =>
      equal(
        `reward ${index} of farm ${address}`,
        info.rewardsAvailable + info.rewardsIssuedUnclaimed,
        balance(book, info.rewardsVault),
      ),
    ),
  ];
}

function balance(book: ChainBook, address: Address): bigint {
  const account = book.get(address);
  if (account === undefined) return 0n;
  return decodedOnce(account, decodeTokenAccount, () => decodeTokenAccount(account)).amount;
}

// Most accounts are the same in the next check: what was read of them is kept.

function decoded<F extends Fields>(
  book: ChainBook,
  address: Address,
  layout: AccountLayout<F>,
  program: Address,
): StructOf<F> {
  const account = book.at(address);
  return decodedOnce(account, layout, () => layout.decode(account, program));
}

function supplyOf(book: ChainBook, mint: Address): bigint {
  const account = book.at(mint);
  return decodedOnce(account, decodeMint, () => decodeMint(account)).supply;
}

function circulatingOnce(book: ChainBook, mint: Address): bigint {
  const account = book.at(mint);
  return decodedOnce(account, circulating, () => ({ units: circulating(account) })).units;
}

function equal(what: string, left: bigint, right: bigint): string[] {
  return left === right ? [] : [`${what}: ${left} is not ${right}`];
}
