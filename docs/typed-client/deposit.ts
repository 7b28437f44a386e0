import { initGraphQLTada, type ResultOf, type VariablesOf } from 'gql.tada';
import { print } from 'graphql';
import type { introspection } from './graphql-env.d.ts';

const graphql = initGraphQLTada<{
  introspection: introspection;
  scalars: { Address: string; BigInt: string; Decimal: string; U64: string; Base64: string };
}>();

// Each refusal is selected by its own type: a fragment on the interface `BuildError` would need Apollo's `possibleTypes`.
const DEPOSIT = graphql(`
  mutation Deposit($input: VaultDepositInput!) {
    buildVaultDeposit(input: $input) {
      __typename
      ... on TransactionPlan { transactions { base64 } }
      ... on VaultNotFound { code message }
      ... on InvalidAmount { code message }
      ... on AmountOverflow { code message }
      ... on TransactionTooLarge { code message }
      ... on BuildRefused { code message }
    }
  }
`);

/** The unsigned transactions of a deposit into a vault, in base64. */
export async function buildDeposit(
  url: string,
  input: VariablesOf<typeof DEPOSIT>['input'],
): Promise<string[]> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: print(DEPOSIT), variables: { input } }),
  });
  const { data } = (await response.json()) as { data: ResultOf<typeof DEPOSIT> };
  const result = data.buildVaultDeposit;
  if (result.__typename === 'TransactionPlan') return result.transactions.map(({ base64 }) => base64);
  throw new Error('code' in result ? `${result.code}: ${result.message}` : result.__typename);
}
