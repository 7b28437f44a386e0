import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  serveChain,
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { connectMcp, type McpSession } from '../support/mcp/mcp-client.ts';

const LIMIT = 5_000;

let localChain: UnchangedChain;
let gateway: TestApp;
let session: McpSession;
let close: () => Promise<void>;

beforeAll(async () => {
  localChain = unchangedChain();
  const rpc = await serveChain(localChain);
  close = () => rpc.close();
  gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, MCP_MAX_CHARACTERS: String(LIMIT) } });
  session = await connectMcp(gateway.app);
});
afterAll(async () => {
  await session?.close();
  await gateway?.stop();
  await close?.();
});

describe('an answer that is too large for a model', () => {
  it('is cut at the stated size, says so, and continues with its cursor in the same View', async () => {
    const { market } = localChain.addresses;
    type Data = { market: { reserves: { address: string }[]; elevationGroups: object[] } };
    const whole = await gateway.query<Data>(`{ market(address: "${market}") { reserves { address } } }`);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    let view: string | undefined;
    for (let part = 0; cursor !== null; part += 1) {
      const args = { address: market, ...(cursor === undefined ? {} : { cursor }) };
      const { chain, data, cut } = await session.call<Data>('inspect', args);
      expect(JSON.stringify(data).length).toBeLessThanOrEqual(LIMIT);
      view ??= chain.view;
      expect(chain.view).toBe(view);
      if (part === 0) {
        expect(cut?.maxCharacters).toBe(LIMIT);
        expect(cut?.lists.map(({ path }) => path)).toContain('market.reserves');
      }
      seen.push(...data.market.reserves.map(({ address }) => address));
      cursor = cut?.cursor ?? null;
      expect(part).toBeLessThan(20);
    }
    expect(seen).toEqual(whole.data.market.reserves.map(({ address }) => address));
  });

  it('says so in the sentence for the model too', async () => {
    const { content } = await session.result('inspect', { address: localChain.addresses.market });
    expect(content[0]).toMatchObject({
      text: expect.stringMatching(/Cut, too large: market.reserves has \d+ of \d+ items/),
    });
  });

  it('is a shorter page where the list has cursors of its own', async () => {
    type Page = {
      reserves: {
        edges: { node: { address: string } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
    };
    const whole = await gateway.query<{ reserves: { nodes: { address: string }[] } }>(
      '{ reserves(first: 50) { nodes { address } } }',
    );
    const seen: string[] = [];
    let after: string | undefined;
    while (seen.length < 50) {
      const { data } = await session.call<Page>('discover', { find: { reserves: {} }, first: 50, after });
      const { edges, pageInfo } = data.reserves;
      expect([pageInfo.hasNextPage, edges.length < 50]).toEqual([true, true]);
      seen.push(...edges.map(({ node }) => node.address));
      after = pageInfo.endCursor;
    }
    expect(seen.slice(0, 50)).toEqual(whole.data.reserves.nodes.map(({ address }) => address));
  });

  it('is refused with a code when it has no lists to cut', async () => {
    const aliases = Array.from({ length: 99 }, (_, index) => `a${index}: address`).join(' ');
    const query = `{ market(address: "${localChain.addresses.market}") { ${aliases} } }`;
    expect(await session.failure('graphql', { query })).toMatchObject({
      code: 'ANSWER_TOO_LARGE',
      context: { ceiling: LIMIT },
    });
  });
});
