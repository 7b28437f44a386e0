import { presentAddress } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import type { Chain } from '../chain/chain.ts';
import type { View } from '../chain/view/view.ts';
import type { Sql } from '../store/sql.ts';
import { obligationsOfWallet } from '../store/transactions/read-lending-events.ts';
import { vaultsOfWallet } from '../store/transactions/read-vault-events.ts';

/** Subject of the requested events. */
export type IngestKind =
  | 'vault'
  | 'allVaults'
  | 'obligation'
  | 'farm'
  | 'market'
  | 'walletVaults'
  | 'walletLending'
  | 'walletFarms'
  | 'walletQueue';

/**
 * The addresses whose lists together contain every transaction with events of a vault: the vault, its share
 * mint (a checked transfer names the mint, not the vault) and its farm (separate stakes). A plain share
 * transfer names only the two token accounts; it is found through the wallets.
 */
export function addressesOfVault(view: View, vault: Address): Address[] {
  const record = view.get('vault', vault);
  if (record === undefined) return [vault];
  const { sharesMint, vaultFarm } = record.value;
  return [vault, sharesMint, presentAddress(vaultFarm)].filter((each) => each !== null);
}

/**
 * The accounts in which a wallet holds shares, or is known to have held them: a plain transfer into them does
 * not name the wallet.
 */
export async function shareAccountsOf(
  chain: Chain,
  sql: Sql,
  wallet: Address,
  signal: AbortSignal,
): Promise<Address[]> {
  const session = await chain.openSession({ signal });
  const { view } = session;
  const [held, vaults] = await Promise.all([session.shareAccountsOf(wallet), vaultsOfWallet(sql, wallet)]);
  const accounts = new Set<Address>();
  for (const { address, value } of held)
    if (view.vaultOfShares(value.mint) !== undefined) accounts.add(address);
  for (const vault of vaults) {
    const mint = view.get('vault', vault)?.value.sharesMint;
    const tokenProgram = mint && view.get('mint', mint)?.owner;
    if (mint && tokenProgram) accounts.add(associatedTokenAddress(wallet, tokenProgram, mint).address);
  }
  return [...accounts];
}

/**
 * A wallet's obligations, including known closed ones: liquidations and repayments by others name only the
 * obligation.
 */
export async function obligationAddressesOf(
  chain: Chain,
  sql: Sql,
  wallet: Address,
  signal: AbortSignal,
): Promise<Address[]> {
  const session = await chain.openSession({ signal });
  const [{ found }, known] = await Promise.all([
    session.obligationsOf(wallet, null),
    obligationsOfWallet(sql, wallet),
  ]);
  return [...new Set([...found.map(({ address }) => address), ...known])];
}
