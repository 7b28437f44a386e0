import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { readText } from '@sluice/protocol/layout/codec';
import type { ReadAccounts } from './read-accounts.ts';

/** Ticker of the token of a reserve, for texts. */
export type SymbolOf = (reserve: Reserve) => string;

/** A reserve may be labelled after its terms instead of its token, so its label is used only without a ticker. */
export function symbolsFrom({ symbolOf }: Pick<ReadAccounts, 'symbolOf'>): SymbolOf {
  return ({ liquidity: { mintPubkey }, config }) =>
    symbolOf?.(mintPubkey) ?? (readText(config.tokenInfo.name) || mintPubkey);
}

/** Ticker of the token of a vault. @param named a reserve of the vault, if it has one */
export function vaultSymbol(
  read: ReadAccounts,
  { tokenMint }: Pick<VaultState, 'tokenMint'>,
  named: Reserve | undefined,
): string {
  return read.symbolOf?.(tokenMint) ?? (named === undefined ? tokenMint : symbolsFrom(read)(named));
}
