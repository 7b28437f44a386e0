import { type Address, address, createSolanaRpc } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { RpcCall } from '../src/pool/endpoint-pool.ts';
import { bytesOf } from '../src/transport/account-json.ts';
import { answer, type Script } from './support/scripted-rpc.ts';
import { failureOf, poolOver, serve } from './support/test-pools.ts';

const SYSTEM = address('11111111111111111111111111111111');
const account = (data: string, lamports = '9007199254740993') =>
  `{"data":["${data}","base64"],"executable":false,"lamports":${lamports},"owner":"${SYSTEM}","rentEpoch":18446744073709551615,"space":165}`;
const page = (accounts: readonly string[]) =>
  `{"context":{"slot":400000000,"apiVersion":"2.1"},"value":[${accounts.join(',')}]}`;

describe('results through the pool', () => {
  it('are exact in small answers', async () => {
    const server = await serve(answer('{"context":{"slot":5},"value":18446744073709551615}'));
    expect(await poolOver([server.url]).rpc.getBalance(SYSTEM).send()).toEqual({
      context: { slot: 5n },
      value: 18446744073709551615n,
    });
  });

  it('have the types of kit: bigint by default, number where kit says so', async () => {
    const server = await serve(
      answer(
        '{"context":{"slot":5},"value":{"amount":"9007199254740993","decimals":6,"uiAmount":1.5,"uiAmountString":"1.5"}}',
      ),
    );
    const { context, value } = await poolOver([server.url]).rpc.getTokenSupply(SYSTEM).send();
    expect([context.slot, value.decimals, value.uiAmount]).toEqual([5n, 6, 1.5]);
  });

  it('keep a small account exact', async () => {
    const server = await serve(answer(page([account('AAAA'), 'null'])));
    const result = await poolOver([server.url])
      .rpc.getMultipleAccounts([SYSTEM, SYSTEM], { encoding: 'base64' })
      .send();
    expect(result).toEqual({
      context: { slot: 400000000n, apiVersion: '2.1' },
      value: [
        {
          data: ['AAAA', 'base64'],
          executable: false,
          lamports: 9007199254740993n,
          owner: SYSTEM,
          rentEpoch: 18446744073709551615n,
          space: 165n,
        },
        null,
      ],
    });
  });

  it('keep an account in a page of 8 MB exact', async () => {
    const data = Buffer.alloc(62_552, 'sluice').toString('base64');
    const accounts = Array.from({ length: 96 }, (_, i) =>
      account(data, String(9007199254740993n + BigInt(i))),
    );
    const server = await serve(answer(page(accounts)));
    const calls: RpcCall[] = [];
    const pool = poolOver([server.url], { onCall: (call) => calls.push(call) });
    const addresses: Address[] = Array(96).fill(SYSTEM);
    const { value } = await pool.rpc.getMultipleAccounts(addresses, { encoding: 'base64' }).send();
    expect(value.map((a) => a?.lamports)).toEqual(accounts.map((_, i) => 9007199254740993n + BigInt(i)));
    expect(value[95]).toMatchObject({ rentEpoch: 18446744073709551615n });
    expect(value[95] && Buffer.from(bytesOf(value[95].data)).toString('base64')).toBe(data);
    expect(calls).toMatchObject([{ endpoint: 'rpc-1', method: 'getMultipleAccounts', outcome: 'ok' }]);
    expect(calls[0]?.responseBytes).toBeGreaterThan(8_000_000);
    expect(calls[0]?.requestBytes).toBeGreaterThan(96 * 34);
  });

  it('are rejected when nested too deeply next to account data', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const server = await serve(
      answer(`{"context":{"slot":5},"value":[${account('QUJD'.repeat(999))},${deep}]}`),
    );
    const { rpc } = poolOver([server.url], { maxAttempts: 1 });
    const asked = rpc.getMultipleAccounts([SYSTEM, SYSTEM], { encoding: 'base64' }).send();
    expect(await failureOf(asked)).toMatchObject({ code: 'RPC_BAD_RESPONSE' });
  });

  const owned = `{"pubkey":"${SYSTEM}","account":${account('AAAA')}}`;
  it.each<readonly [string, string]>([
    ['plain', `[${owned},${owned}]`],
    ['empty', '[]'],
    ['in a context', `{"context":{"slot":5},"value":[${owned}]}`],
  ])('agree with kit on getProgramAccounts, %s', async (_, result) => {
    const server = await serve(answer(result));
    const ask = (rpc: ReturnType<typeof createSolanaRpc>) =>
      rpc.getProgramAccounts(SYSTEM, { encoding: 'base64' }).send();
    expect(await ask(poolOver([server.url]).rpc)).toEqual(await ask(createSolanaRpc(server.url)));
  });

  it.each<readonly [string, 'base64' | 'jsonParsed', string]>([
    ['of a wallet', 'base64', `[${owned},${owned}]`],
    ['of a wallet without any', 'base64', '[]'],
    [
      'that the RPC parsed',
      'jsonParsed',
      `[${owned.replace('["AAAA","base64"]', '{"parsed":{"amount":1}}')}]`,
    ],
  ])('agree with kit on token accounts %s', async (_, encoding, value) => {
    const server = await serve(answer(`{"context":{"slot":5,"apiVersion":"2.1"},"value":${value}}`));
    const ask = (rpc: ReturnType<typeof createSolanaRpc>) =>
      encoding === 'base64'
        ? rpc.getTokenAccountsByOwner(SYSTEM, { programId: SYSTEM }, { encoding }).send()
        : rpc.getTokenAccountsByOwner(SYSTEM, { programId: SYSTEM }, { encoding }).send();
    expect(await ask(poolOver([server.url]).rpc)).toEqual(await ask(createSolanaRpc(server.url)));
  });

  it('agree with kit on accounts that the RPC parsed', async () => {
    const parsed = `{"data":{"parsed":{"info":{"decimals":6,"supply":"1"},"type":"mint"},"program":"spl-token","space":82},"executable":false,"lamports":1,"owner":"${SYSTEM}","rentEpoch":18446744073709551615,"space":82}`;
    const server = await serve(answer(page([parsed])));
    const ask = (rpc: ReturnType<typeof createSolanaRpc>) =>
      rpc.getMultipleAccounts([SYSTEM], { encoding: 'jsonParsed' }).send();
    expect(await ask(poolOver([server.url]).rpc)).toEqual(await ask(createSolanaRpc(server.url)));
  });

  it('may be null where the method allows it, with a null error', async () => {
    const server = await serve(({ id, response }) => {
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: null, error: null }));
    });
    const pool = poolOver([server.url]);
    expect(await pool.rpc.getBlockTime(5n).send()).toBeNull();
    expect(await failureOf(pool.rpc.getBalance(SYSTEM).send())).toMatchObject({ code: 'RPC_BAD_RESPONSE' });
  });
});

describe('requests through the pool', () => {
  it('carry large integers exactly, and the default commitment', async () => {
    let body = '';
    const script: Script = (call) => {
      body = call.body;
      answer('5')(call);
    };
    const server = await serve(script);
    await poolOver([server.url]).rpc.getSlot({ minContextSlot: 18446744073709551615n }).send();
    expect(body).toMatch(
      /^\{"id":"\d+","jsonrpc":"2.0","method":"getSlot","params":\[\{"minContextSlot":18446744073709551615,"commitment":"confirmed"\}\]\}$/,
    );
  });
});
