import { contenderPackage } from './contender-package.ts';
import { serveParent } from './worker.ts';

interface RpcGraphql {
  query(source: string): Promise<{ data?: Record<string, Account | null> | null; errors?: readonly Error[] }>;
}
interface Account {
  readonly address: string;
  readonly data: string;
}
const { createSolanaRpcGraphQL } = contenderPackage<{ createSolanaRpcGraphQL(rpc: object): RpcGraphql }>(
  '@solana/rpc-graphql',
);
const { createSolanaRpc } = contenderPackage<{ createSolanaRpc(url: string): object }>('@solana/kit');

/** Addresses per level of the nested read. Given, because the library cannot decode them from account data. */
export interface RpcGraphqlOrder {
  readonly url: string;
  readonly levels: readonly (readonly string[])[];
}

/**
 * Reads the same accounts as bytes, level by level: vaults, reserves, markets. The library does not know the layouts of these
 * programs, so nothing is decoded, valued or priced.
 */
async function nested({ url, levels }: RpcGraphqlOrder): Promise<readonly (readonly [string, string])[]> {
  const graph = createSolanaRpcGraphQL(createSolanaRpc(url));
  const read: [string, string][] = [];
  for (const addresses of levels) {
    const fields = addresses.map(
      (address, i) => `a${i}: account(address: "${address}") { address data(encoding: BASE_64) }`,
    );
    const { data, errors } = await graph.query(`{ ${fields.join('\n')} }`);
    if (errors !== undefined && errors.length > 0) throw errors[0];
    for (const account of Object.values(data ?? {}))
      if (account !== null) read.push([account.address, account.data]);
  }
  return read;
}

serveParent(null, { nested });
