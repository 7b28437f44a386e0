import { readText } from '@sluice/protocol/layout/codec';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { marketFacts } from '../markets/markets.ts';
import { viewCache } from '../request/per-view.ts';
import type { FarmRecord, ReserveRecord, VaultRecord } from '../request/records.ts';
import { displayText } from '../tokens/display-text.ts';
import { tokenSymbol } from '../tokens/tokens.ts';
import { usedAllocations } from '../vaults/vaults.ts';

const cache = viewCache<ReadonlyMap<Address, string>>();

/** Names of the platform's accounts, by address: those of the View, and those that they name. */
export function namesInView(view: View): ReadonlyMap<Address, string> {
  const known = cache.get(view);
  if (known !== undefined) return known;
  const names = new Map<Address, string>();
  // The first name counts: an account of the platform is more than an account that another one names.
  const add = (address: Address, name: string) => {
    if (presentAddress(address) !== null && !names.has(address)) names.set(address, displayText(name));
  };
  for (const market of view.all('market').values()) {
    add(market.address, marketName(marketFacts(view, market).name));
  }
  for (const vault of view.all('vault').values()) addVault(view, vault, add);
  for (const reserve of view.all('reserve').values()) addReserve(view, reserve, add);
  for (const farm of view.all('farm').values()) addFarm(view, farm, add);
  for (const mint of view.all('mint').keys()) add(mint, tokenSymbol(view, mint));
  for (const table of view.all('table').keys()) add(table, 'lookup table');
  for (const oracle of view.all('oracle').keys()) add(oracle, 'price account');
  cache.set(view, names);
  return names;
}

function marketName(name: string): string {
  if (name === '') return 'lending market';
  return /\bmarket$/i.test(name) ? name : `${name} market`;
}

type Add = (address: Address, name: string) => void;

function addVault(view: View, { address, value }: VaultRecord, add: Add): void {
  const name = displayText(readText(value.name)) || `${tokenSymbol(view, value.tokenMint)} vault`;
  add(address, name);
  add(value.tokenVault, `idle ${tokenSymbol(view, value.tokenMint)} of ${name}`);
  add(value.baseVaultAuthority, `authority of ${name}`);
  add(value.sharesMint, `share token of ${name}`);
  add(value.vaultFarm, `farm of ${name}`);
  for (const { reserve, ctokenVault } of usedAllocations(value)) {
    const mint = view.get('reserve', reserve)?.value.liquidity.mintPubkey;
    const symbol = mint === undefined ? '' : `${tokenSymbol(view, mint)} `;
    add(ctokenVault, `investment of ${name} in the ${symbol}reserve`);
  }
}

function addReserve(view: View, { address, value }: ReserveRecord, add: Add): void {
  const { liquidity, collateral, config } = value;
  const name = `${tokenSymbol(view, liquidity.mintPubkey)} reserve`;
  add(address, name);
  add(liquidity.supplyVault, `liquidity of the ${name}`);
  add(liquidity.feeVault, `fees of the ${name}`);
  add(collateral.mintPubkey, `collateral token of the ${name}`);
  add(collateral.supplyVault, `collateral of the ${name}`);
  add(value.farmCollateral, `deposit farm of the ${name}`);
  add(value.farmDebt, `borrow farm of the ${name}`);
  const { scopeConfiguration, switchboardConfiguration, pythConfiguration } = config.tokenInfo;
  add(scopeConfiguration.priceFeed, 'price account');
  add(switchboardConfiguration.priceAggregator, 'price account');
  add(switchboardConfiguration.twapAggregator, 'price account');
  add(pythConfiguration.price, 'price account');
}

function addFarm(view: View, { address, value }: FarmRecord, add: Add): void {
  add(address, 'farm');
  add(value.globalConfig, 'settings of the farms program');
  add(value.farmVault, 'staked tokens of a farm');
  add(value.farmVaultsAuthority, 'authority of a farm');
  add(value.scopePrices, 'price account');
  for (const { token, rewardsVault } of value.rewardInfos.slice(0, Number(value.numRewardTokens))) {
    add(rewardsVault, `${tokenSymbol(view, token.mint)} rewards of a farm`);
  }
}
