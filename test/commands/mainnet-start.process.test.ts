import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { GatewayProcess } from '../support/processes/gateway-process.ts';
import {
  JLP_MARKET,
  MAIN_MARKET,
  MAIN_TABLE,
  MAIN_USDC_RESERVE,
  mainnetShapedChain,
  NAME_ON_CHAIN,
  USDC_MINT,
} from '../support/rpc/mainnet-shaped.ts';

const JLP_TABLE = 'GprZNyWk67655JhX6Rq9KoebQ6WkQYRhATWzkx2P2LNc';

describe('a gateway with nothing but SOLANA_RPC_URLS', () => {
  let rpc: LocalnetRpc;
  let gateway: GatewayProcess;
  let url: string;

  beforeAll(async () => {
    rpc = await serveChain(mainnetShapedChain());
    gateway = new GatewayProcess({ SOLANA_RPC_URLS: rpc.url });
    url = await gateway.ready();
  });
  afterAll(async () => {
    gateway?.kill('SIGKILL');
    await rpc?.close();
  });

  const get = async (path: string): Promise<unknown> => await (await fetch(`${url}${path}`)).json();
  async function ask(query: string) {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return (await response.json()) as {
      readonly data: unknown;
      readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
    };
  }

  it('names the primary market, and has its table', async () => {
    const { data, errors } = await ask(`{
      market(address: "${MAIN_MARKET}") {
        name isPrimary isCurated lookupTable { address addresses }
        reserves { address token { symbol name logoUrl decimals verified } }
      }
      primary: markets(filter: { primary: true }) { nodes { address } }
    }`);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      market: {
        name: 'Main Market',
        isPrimary: true,
        isCurated: false,
        lookupTable: { address: MAIN_TABLE },
        reserves: [
          {
            address: MAIN_USDC_RESERVE,
            token: { symbol: 'USDC', name: 'USD Coin', decimals: 6, verified: true },
          },
        ],
      },
      primary: { nodes: [{ address: MAIN_MARKET }] },
    });
    expect(JSON.stringify(data)).toContain(`${USDC_MINT}/logo.png`);
  });

  it('prefers the name in the account, and tells that a table does not exist', async () => {
    const { data, errors } = await ask(
      `{ market(address: "${JLP_MARKET}") { name isPrimary lookupTable { address } } }`,
    );
    expect(data).toEqual({ market: { name: NAME_ON_CHAIN, isPrimary: false, lookupTable: null } });
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['ACCOUNT_NOT_FOUND']);
  });

  it('shows the same over REST', async () => {
    expect(await get(`/v2/svc-market/${MAIN_MARKET}`)).toEqual({
      lendingMarket: MAIN_MARKET,
      name: 'Main Market',
      description: '',
      isPrimary: true,
      isCurated: false,
      lookupTable: MAIN_TABLE,
    });
    expect(await get(`/v2/svc-market/${JLP_MARKET}`)).toMatchObject({
      name: NAME_ON_CHAIN,
      lookupTable: JLP_TABLE,
    });
    expect(await get('/tokens-api/tokens?symbol=usdc&verified=true')).toMatchObject([
      { mint: USDC_MINT, symbol: 'USDC', decimals: 6 },
    ]);
  });
});
