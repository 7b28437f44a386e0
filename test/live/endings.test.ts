import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../packages/rpc-pool/test/support/test-pools.ts';
import { readExamples } from '../../src/graphql/examples/examples.ts';
import { StreamTokens } from '../../src/live/stream-token.ts';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';
import { EventStream } from '../support/http/event-stream.ts';

let live: LiveApp;
beforeAll(async () => {
  live = await testApp({
    live: true,
    env: { RPC_MAX_ATTEMPTS: '1', MAX_LIST_ITEMS: '5', MAX_QUERY_COST: '1000' },
  });
});
afterAll(() => live?.stop());

interface Loan {
  readonly obligations: { slot: string; reason: string; obligation: { healthFactor: string } | null };
}
const LOAN =
  'subscription ($o: Address!) { obligations(addresses: [$o]) { slot reason obligation { healthFactor } } }';

async function refusal(query: string, variables: object = {}) {
  const stream = await EventStream.open(live.site.origin, query, { variables: { ...variables } });
  const event = await stream.next();
  const end = await stream.next();
  return {
    status: stream.response.status,
    code: event?.data?.errors?.[0]?.extensions?.code,
    end: end?.event,
  };
}

describe('an invalid subscription', () => {
  it.each([
    [
      'more addresses than the limit',
      'LIST_TOO_LONG',
      { a: Array(6).fill('11111111111111111111111111111111') },
    ],
    ['no address at all', 'BAD_REQUEST', { a: [] }],
    ['a malformed address', 'ADDRESS_INVALID', { a: ['nobody'] }],
  ])(
    'with %s gets an error event and `complete`, so that clients do not retry',
    async (_, code, variables) => {
      const query = 'subscription ($a: [Address!]!) { vaults(addresses: $a) { slot } }';
      expect(await refusal(query, variables)).toEqual({ status: 200, code, end: 'complete' });
    },
  );

  it('that is too expensive or not in the schema ends the same way', async () => {
    const expensive =
      'subscription ($w: Address!) { wallet(address: $w) { wallet { netValue { usd } obligations { nodes { deposits { reserve { vaults { nodes { name } } } } } } } } }';
    const variables = { w: live.localChain.addresses.wallet };
    expect(await refusal(expensive, variables)).toMatchObject({
      code: 'QUERY_TOO_EXPENSIVE',
      end: 'complete',
    });
    expect(await refusal('subscription { nothing { slot } }')).toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
      end: 'complete',
    });
    expect(await refusal('subscription { slot @skip(if: true) { slot } }')).toMatchObject({
      end: 'complete',
    });
  });

  it('gets 406 when the client does not accept events', async () => {
    const response = await fetch(`${live.site.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: 'subscription { slot { slot } }' }),
    });
    expect(response.status).toBe(406);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'STREAM_NOT_ACCEPTED' } }],
    });
  });
});

describe('while RPC reads fail', () => {
  it('a stream reports the error once without data, and recovers', async () => {
    const { obligation } = live.localChain.addresses;
    const stream = await EventStream.open<Loan>(live.site.origin, LOAN, { variables: { o: obligation } });
    await stream.nextData();
    // The View can still be refreshed, but the obligation cannot be read.
    const heal = live.rpc.faults.add({
      method: 'getMultipleAccounts',
      status: 503,
      when: (_method, params) => JSON.stringify(params).includes(obligation),
    });
    await live.advance(2);
    const failed = await stream.nextData();
    expect(failed.data ?? null).toBeNull();
    expect(failed.errors?.[0]?.extensions).toMatchObject({ code: 'RPC_UNAVAILABLE', retryable: true });
    await live.advance(2);
    heal();
    await live.advance(2);
    const healed = await stream.until(({ data, errors }) => {
      expect(errors).toBeUndefined();
      return data?.obligations.slot === String(live.localChain.slot);
    });
    const asked = await live.query<{ obligation: { healthFactor: string } }>(
      'query ($o: Address!) { obligation(address: $o) { healthFactor } }',
      { variables: { o: obligation }, headers: { 'x-view': String(healed.extensions?.chain?.view) } },
    );
    expect(healed.data?.obligations.obligation).toEqual(asked.data.obligation);
    stream.close();
    // The next stream must not join its channel.
    await until(() => live.app.live.channels === 0);
  });

  it('an absent obligation is null until the account exists', async () => {
    const { obligation } = live.localChain.addresses;
    live.localChain.place(obligation, null);
    const stream = await EventStream.open<Loan>(live.site.origin, LOAN, { variables: { o: obligation } });
    expect((await stream.nextData()).data?.obligations).toMatchObject({
      reason: 'INITIAL',
      obligation: null,
    });
    live.localChain.restore();
    await live.advance();
    const event = (await stream.nextData()).data?.obligations;
    expect(event?.reason).toBe('ACCOUNT');
    expect(Number(event?.obligation?.healthFactor)).toBeGreaterThan(0);
    stream.close();
  });
});

describe('stream tokens', () => {
  it('identify a client until they expire, and cannot be forged', () => {
    let now = 1_000_000;
    const tokens = new StreamTokens('a secret that several gateways know', () => now);
    const { token, expiresAt } = tokens.issue('key 7', null);
    expect(expiresAt.getTime()).toBe(1_060_000);
    const elsewhere = new StreamTokens('a secret that several gateways know', () => now);
    expect(elsewhere.verify(token, [null])).toBe('key 7');
    expect(new StreamTokens('', () => now).verify(token, [null])).toBeNull();
    expect(tokens.verify(token.replace(/^\d+/, '9999999999'), [null])).toBeNull();
    expect(tokens.verify(`${token}x`, [null])).toBeNull();
    now += 59_999;
    expect(tokens.verify(token, [null])).toBe('key 7');
    now += 1;
    expect(tokens.verify(token, [null])).toBeNull();
  });

  it('are valid for the origin that they were issued for', () => {
    const tokens = new StreamTokens('');
    const { token } = tokens.issue('key 7', 'https://app.example');
    expect(tokens.verify(token, ['https://app.example'])).toBe('key 7');
    expect(tokens.verify(token, [null, 'https://app.example'])).toBe('key 7');
    expect(tokens.verify(token, ['https://evil.example'])).toBeNull();
    expect(tokens.verify(token, [null])).toBeNull();
    expect(tokens.verify(tokens.issue('key 7', null).token, ['https://app.example'])).toBeNull();
  });
});

describe('the example subscription', () => {
  it('answers on the localnet', async () => {
    const example = readExamples().find(({ name }) => name === 'live');
    const stream = await EventStream.open<{ vaults: { vault: object } }>(
      live.site.origin,
      example?.query ?? '',
      {
        variables: { vault: live.localChain.addresses.vault },
      },
    );
    const { data, errors } = await stream.nextData();
    expect(errors).toBeUndefined();
    expect(data?.vaults.vault).toMatchObject({
      name: expect.any(String),
      currentApy: { total: expect.any(String) },
    });
    stream.close();
  });
});

describe('when the gateway stops', () => {
  it('streams end at once without `complete`, so that clients reconnect', async () => {
    const stream = await EventStream.open(live.site.origin, 'subscription { slot { slot } }');
    await stream.nextData();
    live.app.live.stop();
    expect(await stream.next()).toBeNull();
    expect(stream.text).not.toContain('complete');
    expect(live.app.live.streams).toBe(0);
    const late = await EventStream.open(live.site.origin, 'subscription { slot { slot } }');
    expect(await late.next()).toBeNull();
  });
});
