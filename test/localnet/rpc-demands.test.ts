import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signatureOf, startSendingClient } from '../../packages/localnet/test/support/rpc/sending-client.ts';
import { ACCOUNT_DEMANDS, REFRESH_DEMANDS } from '../support/demands/account-demands.ts';
import { type Demand, ERRORS, type Stage } from '../support/demands/demand.ts';
import { Lender } from '../support/demands/lender.ts';
import { LIMIT_DEMANDS, PRICE_DEMANDS } from '../support/demands/limit-demands.ts';

/** One transaction for each demand of the programs, signed and sent, and refused as a cluster refuses it. */

const FEE_LAMPORTS = 5_000;

let stage: Stage;

beforeAll(async () => {
  const client = await startSendingClient({ quiet: true });
  const plain = await Lender.example(client, 0);
  plain.fund('SOL', 'USDC', 'wBTC', 'jitoSOL');
  // Everything was refreshed in the first slot.
  client.advance(1);
  stage = { client, plain, grouped: await Lender.example(client, 1) };
});
afterAll(() => stage.client.server.close());

interface Served {
  readonly lamports: number;
}

/** The accounts as RPC serves them; null for those that do not exist. Texts compare faster than bytes. */
async function read(addresses: readonly Address[]): Promise<readonly (Served | null)[]> {
  const { result } = await stage.client.call('getMultipleAccounts', [addresses, { encoding: 'base64' }]);
  return (result as { readonly value: readonly (Served | null)[] }).value;
}

async function refuses([, name, failing, attempt]: Demand): Promise<void> {
  const { client } = stage;
  const { lender, instructions } = await attempt(stage);
  const wire = await lender.sign(instructions);
  const index = instructions.findIndex((each) => each.name === failing);
  const err = { InstructionError: [index, { Custom: ERRORS[name] }] };
  const line = expect.stringContaining(`Error Code: ${name}. Error Number: ${ERRORS[name]}.`);
  const payer = lender.signer.address;
  const touched = [
    ...new Set(instructions.flatMap(({ accounts }) => accounts.map(({ address }) => address))),
  ];
  const others = touched.filter((address) => address !== payer);
  const before = await read([payer, ...others]);

  const simulated = await client.call('simulateTransaction', [wire, { encoding: 'base64', sigVerify: true }]);
  expect(simulated.result).toMatchObject({ value: { err, logs: expect.arrayContaining([line]) } });
  const checked = await client.call('sendTransaction', [wire, { encoding: 'base64' }]);
  expect(checked.error).toMatchObject({ code: -32002, data: { err } });
  expect(await read([payer, ...others])).toEqual(before);

  const sent = await client.call('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }]);
  expect(sent.result).toBe(signatureOf(wire));
  const statuses = await client.call('getSignatureStatuses', [[sent.result]]);
  expect(statuses.result).toMatchObject({ value: [{ err }] });
  const [paid, ...rest] = before;
  const charged = { ...paid, lamports: (paid?.lamports ?? 0) - FEE_LAMPORTS };
  expect(await read([payer, ...others])).toEqual([charged, ...rest]);
}

describe('a transaction is refused with', () => {
  it.each(REFRESH_DEMANDS)('%s: %s', (...demand) => refuses(demand));
  it.each(ACCOUNT_DEMANDS)('%s: %s', (...demand) => refuses(demand));
  it.each(LIMIT_DEMANDS)('%s: %s', (...demand) => refuses(demand));
  it.each(PRICE_DEMANDS)('%s: %s', (...demand) => refuses(demand));

  it('but a deposit and a repayment pass at a stale price', async () => {
    const { plain } = stage;
    await plain.send(plain.build('deposit', 'wBTC', 1_000n));
    await plain.send(plain.build('repay', 'USDC', 1_000_000n));
  });
});
