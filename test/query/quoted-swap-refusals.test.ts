import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { buildLeverage } from '../support/leverage/leverage-actor.ts';
import { LeverageDesk } from '../support/leverage/leverage-desk.ts';

/** Builds whose quotes are too bad, too small or absent. The source changes what the exchange of the localnet answers. */

interface Answer {
  outAmount: string;
  otherAmountThreshold: string;
  swapInstruction: { data: string };
}

let source: Server;
let world: ActingApp;
let desk: LeverageDesk;
/** Part of the true amount that the source says it pays, in basis points, for each request in turn; the last one goes on. */
let paysBps: readonly number[];
let status: number;
let asked: bigint[];

beforeAll(async () => {
  source = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', world.localnet.rpc.url);
    asked.push(BigInt(url.searchParams.get('amount') ?? '0'));
    const answer = await (await fetch(url)).json();
    const bps = BigInt(paysBps[Math.min(asked.length, paysBps.length) - 1] ?? 10_000);
    response.writeHead(status).end(JSON.stringify(scaled(answer as Answer, bps)));
  });
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  const { port } = source.address() as AddressInfo;
  world = await startActingApp({ quotes: true, env: { QUOTE_URL: `http://127.0.0.1:${port}` } });
  desk = await LeverageDesk.open(world, [['mSOL', 50_000_000_000n]], ['USDC']);
});
afterAll(async () => {
  await world?.stop();
  source?.closeAllConnections();
  source?.close();
});
beforeEach(() => {
  [paysBps, status, asked] = [[10_000], 200, []];
});

/** The same answer for another amount out, also in the instruction. */
function scaled(answer: Answer, bps: bigint): Answer {
  const out = (BigInt(answer.outAmount) * bps) / 10_000n;
  const data = Buffer.from(answer.swapInstruction.data, 'base64');
  data.writeBigUInt64LE(out, 16);
  return {
    ...answer,
    outAmount: String(out),
    otherAmountThreshold: String((out * 9_950n) / 10_000n),
    swapInstruction: { ...answer.swapInstruction, data: data.toString('base64') },
  };
}

const multiply = () =>
  buildLeverage(
    world,
    'Multiply',
    {
      ...desk.target({ collateral: 'mSOL', debt: 'USDC' }),
      options: desk.options,
      deposit: { tokens: '10' },
      borrow: { tokens: '100' },
    },
    desk.headers,
  );

const repay = (address: string) => {
  const { collateralReserve, debtReserve, ...target } = desk.target({ collateral: 'mSOL', debt: 'USDC' });
  const input = {
    ...target,
    collateralReserve,
    debtReserve,
    obligation: { address },
    amount: { tokens: '50' },
  };
  return buildLeverage(world, 'RepayWithCollateral', { ...input, options: desk.options }, desk.headers);
};

describe('a quote that is worse than the oracle', () => {
  it('by more than the deployment accepts is refused', async () => {
    paysBps = [9_898];
    const refused = await multiply();
    expect(refused).toMatchObject({ __typename: 'SwapRefused', code: 'QUOTE_REFUSED', instruction: null });
    expect(refused.message).toMatch(/pays 10[23] basis points less .* accepts 100/);
  });

  it('by less is accepted, and the preview says so', async () => {
    paysBps = [9_905];
    const { preview } = await multiply();
    expect(Number(preview.quote?.priceImpact)).toBeCloseTo(0.0095, 6);
  });

  it('and one that is better is a gain, which the chain then does not pay', async () => {
    paysBps = [10_100];
    const { preview, simulation } = await multiply();
    expect(Number(preview.quote?.priceImpact)).toBeCloseTo(-0.01, 6);
    expect(simulation.success).toBe(false);
    expect(simulation.logs.join('\n')).toContain('SlippageToleranceExceeded');
  });
});

describe('an amount out', () => {
  let obligation: string;

  beforeAll(async () => {
    [paysBps, status, asked] = [[10_000], 200, []];
    const pair = { collateral: 'mSOL', debt: 'USDC' };
    await desk.act('Multiply', pair, { deposit: { tokens: '10' }, borrow: { tokens: '100' } });
    const [seed1, seed2] = [desk.of('mSOL').mint, desk.of('USDC').mint];
    obligation = desk.obligation({ tag: 1, id: 0, seed1, seed2 });
  });

  it('is asked for with slippage, so one quote is enough', async () => {
    const { preview, code } = await repay(obligation);
    expect(code).toBeUndefined();
    expect(asked).toHaveLength(1);
    expect(BigInt(preview.quote?.guaranteed.baseUnits ?? 0)).toBeGreaterThanOrEqual(50_000_500n);
  });

  it('is corrected by a quote that pays too little', async () => {
    paysBps = [9_950, 9_950];
    const { preview, code } = await repay(obligation);
    expect(code).toBeUndefined();
    expect(asked).toHaveLength(2);
    expect((asked[1] ?? 0n) * 10_000n).toBeGreaterThan((asked[0] ?? 0n) * 10_050n);
    const guaranteed = BigInt(preview.quote?.guaranteed.baseUnits ?? 0);
    expect(guaranteed).toBeGreaterThanOrEqual(50_000_500n);
    expect(guaranteed).toBeLessThan(50_020_000n);
  });

  it('that no quote reaches is refused', async () => {
    paysBps = [9_990, 9_960, 9_930];
    const refused = await repay(obligation);
    expect(refused).toMatchObject({ __typename: 'SwapRefused', code: 'QUOTE_REFUSED' });
    expect(refused.message).toMatch(/after 3 attempts, but 5000\d{4} are needed/);
    expect(asked).toHaveLength(3);
  });
});

it('a source that fails is an error, after which the caller may try again', async () => {
  status = 503;
  const { errors } = await world.gateway.query<unknown>(
    'mutation ($input: MultiplyInput!) { buildMultiply(input: $input) { __typename } }',
    {
      variables: {
        input: { ...desk.target({ collateral: 'mSOL', debt: 'USDC' }), borrow: { tokens: '1' } },
      },
    },
  );
  expect(errors).toMatchObject([{ extensions: { code: 'QUOTE_UNAVAILABLE', retryable: true } }]);
});

it('REST quotes as GraphQL does', async () => {
  const { wallet, market } = desk.target({ collateral: 'mSOL', debt: 'USDC' });
  const { instructions } = await world.post<{ instructions: { programAddress: string }[] }>(
    '/ktx/klend/swap-collateral-instructions',
    {
      wallet,
      market,
      withdrawReserve: desk.of('mSOL').address,
      depositReserve: desk.of('jitoSOL').address,
      amount: '1',
      obligation: await vanilla(),
    },
    desk.headers,
  );
  expect(instructions.map(({ programAddress }) => programAddress)).toContain(
    'LocaLnetExchange111111111111111111111111111',
  );
  expect(asked).toEqual([1_000_000_000n]);
});

/** The vanilla obligation of the wallet, with a deposit. */
async function vanilla() {
  const { wallet, market } = desk.target({ collateral: 'mSOL', debt: 'USDC' });
  const { transaction } = await world.post<{ transaction: string }>(
    '/ktx/klend/deposit',
    { wallet, market, reserve: desk.of('mSOL').address, amount: '2' },
    desk.headers,
  );
  desk.headers = (await world.send('RPC', transaction, desk.wallet)).headers;
  return { tag: 'VANILLA', id: 0 };
}
