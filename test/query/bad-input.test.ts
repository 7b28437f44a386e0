import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { testApp } from '../support/apps/chain-app.ts';
import { failures, type TestApp } from '../support/apps/test-app.ts';

let localChain: UnchangedChain;
let gateway: TestApp;

beforeAll(async () => {
  localChain = unchangedChain();
  gateway = await testApp({ chain: localChain, frozen: true });
});

afterAll(async () => {
  await gateway?.stop();
});

describe('a malformed address', () => {
  it.each([
    '',
    'vault',
    '0OIl',
    '1'.repeat(31),
    '1'.repeat(45),
    'So11111111111111111111111111111111111111112x',
  ])('is a coded error as a literal and as a variable: "%s"', async (address) => {
    const literal = await gateway.query(`{ vault(address: "${address}") { name } }`);
    const variable = await gateway.query('query ($a: Address!) { vault(address: $a) { name } }', {
      variables: { a: address },
    });
    for (const answer of [literal, variable]) {
      expect(answer.errors.map(({ extensions }) => extensions?.code)).toEqual(['ADDRESS_INVALID']);
    }
  });

  it('inside a global ID fails its own node and no other node of the batch', async () => {
    const bad = Buffer.from('Vault:nonsense').toString('base64');
    const answer = await gateway.query<Record<string, unknown>>(
      `query ($bad: ID!, $obligation: Address!) {
        bad: node(id: $bad) { id }
        obligation(address: $obligation) { address }
        chain { cluster }
      }`,
      { variables: { bad, obligation: localChain.addresses.obligation } },
    );
    expect(failures(answer)).toEqual(['bad: ADDRESS_INVALID']);
    expect(answer.data).toEqual({
      bad: null,
      obligation: { address: localChain.addresses.obligation },
      chain: { cluster: 'localnet' },
    });
  });
});

describe('the address of another kind of account', () => {
  it('is a coded error on its field, and other fields answer', async () => {
    const { reserve, vault, market, tokenMint, emptyWallet, obligation } = localChain.addresses;
    const answer = await gateway.query<Record<string, { address?: string } | null>>(`{
      mintAsVault: vault(address: "${tokenMint}") { name }
      vaultAsReserve: reserve(address: "${vault}") { address }
      reserveAsMarket: market(address: "${reserve}") { name }
      marketAsObligation: obligation(address: "${market}") { address }
      obligationAsReserve: reserve(address: "${obligation}") { address }
      reserveAsToken: token(mint: "${reserve}") { symbol }
      nobody: vault(address: "${emptyWallet}") { name }
      nothing: token(mint: "${emptyWallet}") { symbol }
      good: reserve(address: "${reserve}") { address }
      goodObligation: obligation(address: "${obligation}") { address }
    }`);
    expect(answer.status).toBe(200);
    expect(failures(answer).sort()).toEqual([
      'marketAsObligation: ACCOUNT_WRONG_DISCRIMINATOR',
      'mintAsVault: ACCOUNT_WRONG_OWNER',
      'nobody: ACCOUNT_NOT_FOUND',
      'nothing: ACCOUNT_NOT_FOUND',
      'obligationAsReserve: ACCOUNT_WRONG_DISCRIMINATOR',
      'reserveAsMarket: ACCOUNT_WRONG_DISCRIMINATOR',
      'reserveAsToken: ACCOUNT_WRONG_OWNER',
      'vaultAsReserve: ACCOUNT_WRONG_OWNER',
    ]);
    expect(answer.data).toMatchObject({
      mintAsVault: null,
      nothing: null,
      good: { address: reserve },
      goodObligation: { address: obligation },
    });
  });
});

describe('an invalid document', () => {
  it('is reported as an error of the caller', async () => {
    const syntax = await gateway.query('{ vaults( }');
    const unknown = await gateway.query('{ vaultz { name } }');
    expect(syntax.errors[0]?.message).toMatch(/^Syntax Error/);
    expect(unknown.errors[0]?.message).toContain('Cannot query field "vaultz"');
    for (const { errors } of [syntax, unknown]) expect(errors[0]?.extensions?.code).not.toBe('INTERNAL');
  });
});

describe('global IDs', () => {
  interface Identified {
    readonly __typename: string;
    readonly id: string;
  }

  async function identifiers(): Promise<string[]> {
    const { vault, reserve, market, obligation, tokenMint } = localChain.addresses;
    const { data } = await gateway.query<{
      vault: Identified & { farm: Identified };
      market: Identified & { elevationGroups: Identified[] };
      reserve: Identified;
      obligation: Identified;
      token: Identified;
    }>(`{
      vault(address: "${vault}") { id farm { id } }
      market(address: "${market}") { id elevationGroups { id } }
      reserve(address: "${reserve}") { id }
      obligation(address: "${obligation}") { id }
      token(mint: "${tokenMint}") { id }
    }`);
    const group = data.market.elevationGroups[0]?.id ?? '';
    const others = [data.vault, data.vault.farm, data.market, data.reserve, data.obligation, data.token];
    return [...others.map(({ id }) => id), group];
  }

  it('fetch the same object, one by one and in one request', async () => {
    const ids = await identifiers();
    const types = ['Vault', 'Farm', 'Market', 'Reserve', 'Obligation', 'Token', 'ElevationGroup'];
    const expected = ids.map((id, i) => ({ __typename: types[i], id }));
    const together = await gateway.query<{ nodes: Identified[] }>(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }',
      { variables: { ids } },
    );
    expect(together.errors).toEqual([]);
    expect(together.data.nodes).toEqual(expected);
    for (const [i, id] of ids.entries()) {
      const alone = await gateway.query<{ node: Identified }>(
        'query ($id: ID!) { node(id: $id) { __typename id } }',
        { variables: { id } },
      );
      expect(alone.errors).toEqual([]);
      expect(alone.data.node).toEqual(expected[i]);
    }
  });

  it('that match nothing are null with an error, and the others answer', async () => {
    const [vault = ''] = await identifiers();
    const missing = Buffer.from(`Vault:${localChain.addresses.emptyWallet}`).toString('base64');
    const answer = await gateway.query<{ nodes: unknown[] }>(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      { variables: { ids: [missing, vault] } },
    );
    expect(failures(answer)).toEqual(['nodes.0: ACCOUNT_NOT_FOUND']);
    expect(answer.data.nodes).toEqual([null, { id: vault }]);
  });
});
