import type { CsvColumn } from './csv.ts';
import type { FarmTransaction, LendingTransaction, VaultTransaction } from './wallet-documents.ts';

/** Columns of the files. Values are exact, times in UTC, values in USD at the price of that time. */
export const VAULT_CSV: readonly CsvColumn<VaultTransaction>[] = [
  { header: 'time', cell: ({ createdAt }) => createdAt },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'vault', cell: ({ vault }) => vault?.address },
  { header: 'vault_name', cell: ({ vault }) => vault?.name },
  { header: 'tokens', cell: ({ tokens }) => tokens.amount },
  { header: 'token', cell: ({ tokens }) => tokens.token.symbol },
  { header: 'mint', cell: ({ tokens }) => tokens.token.mint },
  { header: 'shares', cell: ({ shares }) => shares },
  { header: 'share_price_usd', cell: ({ sharePriceUsd }) => sharePriceUsd },
  { header: 'value_usd', cell: ({ valueUsd }) => valueUsd },
  { header: 'slot', cell: ({ slot }) => slot },
  { header: 'signature', cell: ({ signature }) => signature },
];

export const LENDING_CSV: readonly CsvColumn<LendingTransaction>[] = [
  { header: 'time', cell: ({ createdAt }) => createdAt },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'side', cell: ({ side }) => side },
  { header: 'market', cell: ({ marketAddress }) => marketAddress },
  { header: 'reserve', cell: ({ reserve }) => reserve?.address },
  { header: 'obligation', cell: ({ obligationAddress }) => obligationAddress },
  { header: 'obligation_tag', cell: ({ obligationTag }) => obligationTag },
  { header: 'amount', cell: ({ amount }) => amount.amount },
  { header: 'token', cell: ({ amount }) => amount.token.symbol },
  { header: 'mint', cell: ({ amount }) => amount.token.mint },
  { header: 'token_price_usd', cell: ({ tokenPriceUsd }) => tokenPriceUsd },
  { header: 'value_usd', cell: ({ valueUsd }) => valueUsd },
  { header: 'slot', cell: ({ slot }) => slot },
  { header: 'signature', cell: ({ signature }) => signature },
];

export const FARM_CSV: readonly CsvColumn<FarmTransaction>[] = [
  { header: 'time', cell: ({ createdAt }) => createdAt },
  { header: 'kind', cell: ({ kind }) => kind },
  { header: 'farm', cell: ({ farmAddress }) => farmAddress },
  { header: 'amount', cell: ({ amount }) => amount?.amount },
  { header: 'token', cell: ({ amount }) => amount?.token.symbol },
  { header: 'mint', cell: ({ tokenMint }) => tokenMint },
  { header: 'value_usd', cell: ({ amount }) => amount?.usd },
  { header: 'slot', cell: ({ slot }) => slot },
  { header: 'signature', cell: ({ signature }) => signature },
];
