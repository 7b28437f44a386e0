import { addressBytes } from '@sluice/protocol/layout/base58';
import { derive } from '@sluice/protocol/layout/pda';
import { encodeLookupTable } from '@sluice/protocol/lookup-table/lookup-table';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  INSTRUCTIONS_SYSVAR,
  LOOKUP_TABLE_PROGRAM,
  MAINNET_PROGRAMS,
  NO_ADDRESS,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { exchangeTable, exchangeTableEntries } from './exchange-vaults.ts';
import { marketOwner } from './markets.ts';
import type { Farm, Market, Reserve, Vault, Wallet } from './model.ts';
import { GENESIS_SLOT } from './time.ts';
import type { World } from './world.ts';

const { klend, kvault, farms } = MAINNET_PROGRAMS;
const MAX_ENTRIES = 256;
const AUTHORITY_OFFSET = 22;
const HEADER_BYTES = 56;

/** Adds a table per market and vault, that of the exchange, and those that wallets opened. */
export function addLookupTables(world: World): void {
  const owner = marketOwner(world.seed);
  for (const market of world.markets)
    addTable(world, market.lookupTable, owner, () => marketTable(market, world.oracle.address));
  addTable(world, exchangeTable(world.seed), owner, () => exchangeTableEntries(world));
  for (const vault of world.vaults) addTable(world, vault.lookupTable, vault.admin, () => vaultTable(vault));
  for (const wallet of world.wallets) {
    if (wallet.lookupTable !== null && wallet.hasMetadata) {
      const entries = walletTable(wallet);
      addTable(world, wallet.lookupTable, wallet.address, () => entries);
    }
  }
}

function addTable(
  world: World,
  address: Address,
  authority: Address,
  entriesOf: () => readonly Address[],
): void {
  world.store.add({
    address,
    owner: LOOKUP_TABLE_PROGRAM,
    encode(previous) {
      if (previous !== undefined) return previous.slice();
      const entries = entriesOf().slice(0, MAX_ENTRIES);
      const header = encodeLookupTable({
        deactivationSlot: null,
        lastExtendedSlot: GENESIS_SLOT + 1000n,
        lastExtendedStartIndex: 0,
        authority: NO_ADDRESS,
        addresses: [],
      });
      const data = new Uint8Array(HEADER_BYTES + entries.length * 32);
      data.set(header);
      data.set(addressBytes(authority), AUTHORITY_OFFSET);
      entries.forEach((entry, i) => {
        data.set(addressBytes(entry), HEADER_BYTES + i * 32);
      });
      return data;
    },
  });
}

const SHARED = [
  TOKEN_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  RENT_SYSVAR,
  INSTRUCTIONS_SYSVAR,
  klend,
  farms,
];

function reserveEntries(reserve: Reserve): Address[] {
  return [
    reserve.address,
    reserve.liquidityVault.address,
    reserve.collateralMint.address,
    reserve.token.mint.address,
    reserve.token.mint.program,
  ];
}

function farmEntries(farm: Farm | null): Address[] {
  return farm === null
    ? []
    : [farm.address, farm.authority, ...(farm.holding === null ? [] : [farm.holding.address])];
}

const tables = new WeakMap<Market | Vault, Address[]>();

/** The entries of a market's or vault's table, which never change. */
function cachedEntries(subject: Market | Vault, entriesOf: () => Address[]): Address[] {
  const known = tables.get(subject);
  if (known !== undefined) return known;
  const entries = unique(entriesOf()).slice(0, MAX_ENTRIES);
  tables.set(subject, entries);
  return entries;
}

export function marketTable(market: Market, priceFeed: Address): Address[] {
  return cachedEntries(market, () => [
    market.address,
    market.authority,
    priceFeed,
    ...SHARED,
    ...market.reserves.flatMap((reserve) => [
      ...reserveEntries(reserve),
      reserve.collateralVault.address,
      reserve.feeVault.address,
      ...farmEntries(reserve.collateralFarm),
      ...farmEntries(reserve.debtFarm),
    ]),
  ]);
}

export function vaultTable(vault: Vault): Address[] {
  return cachedEntries(vault, () => [
    vault.address,
    vault.tokenVault.address,
    vault.authority,
    vault.sharesMint.address,
    vault.token.mint.address,
    vault.token.mint.program,
    kvault,
    derive(kvault, '__event_authority').address,
    derive(kvault, 'global_config').address,
    ...SHARED,
    ...farmEntries(vault.farm),
    ...vault.allocations.flatMap(({ reserve, holding }) => [
      ...reserveEntries(reserve),
      holding.address,
      reserve.market.address,
      reserve.market.authority,
    ]),
  ]);
}

function walletTable(wallet: Wallet): Address[] {
  return unique([
    wallet.address,
    wallet.metadata,
    ...SHARED,
    ...wallet.obligations.flatMap(({ address, market }) => [address, market.address]),
    ...[...wallet.holdings.values()].map(({ address }) => address),
  ]);
}

function unique(addresses: readonly Address[]): Address[] {
  return [...new Set(addresses)];
}
