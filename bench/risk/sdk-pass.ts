import { sdkPackage } from '../peers/contender-package.ts';
import { importSdk, type SdkMarket } from '../peers/sdk.ts';
import { serveParent } from '../peers/worker.ts';
import type { LoanChain } from './loan-chain.ts';

/** The part of the official SDK that values a loan. */
interface SdkState {
  readonly deposits: unknown;
  readonly borrows: unknown;
}
interface SdkStat {
  gte(other: SdkStat): boolean;
}
interface RiskSdk {
  readonly Obligation: { decode(data: Buffer): SdkState };
  readonly KaminoMarket: { load(rpc: unknown, market: string, slotMs: number): Promise<SdkMarket | null> };
  readonly KaminoObligation: {
    new (
      market: SdkMarket,
      address: string,
      state: SdkState,
      exchangeRates: unknown,
      cumulativeRates: unknown,
    ): {
      readonly refreshedStats: {
        readonly userTotalBorrowBorrowFactorAdjusted: SdkStat;
        readonly borrowLiquidationLimit: SdkStat;
      };
    };
    getRatesForObligation(
      market: SdkMarket,
      deposits: unknown,
      borrows: unknown,
      slot: bigint,
    ): { readonly collateralExchangeRates: unknown; readonly cumulativeBorrowRates: unknown };
  };
}

export interface SdkPass {
  readonly loans: number;
  readonly liquidatable: number;
  readonly ms: number;
}

const SLOT_MS = 400;
const PAGE = 100;
const { createSolanaRpc } = importSdk();
const sdk = sdkPackage<RiskSdk>('@kamino-finance/klend-sdk');

/** Values every loan of the sample once, at present prices. Reading and decoding them is not counted. */
async function pass({ url, market: address, sample }: LoanChain): Promise<SdkPass> {
  const rpc = createSolanaRpc(url);
  const market = await sdk.KaminoMarket.load(rpc, address, SLOT_MS);
  if (market === null) throw new Error('the SDK found no market');
  const slot = await rpc.getSlot().send();
  const states: SdkState[] = [];
  for (let i = 0; i < sample.length; i += PAGE) {
    states.push(...(await read(url, sample.slice(i, i + PAGE))).map((data) => sdk.Obligation.decode(data)));
  }
  const startedAt = performance.now();
  let liquidatable = 0;
  for (const [i, state] of states.entries()) {
    const rates = sdk.KaminoObligation.getRatesForObligation(market, state.deposits, state.borrows, slot);
    const { refreshedStats } = new sdk.KaminoObligation(
      market,
      sample[i] ?? '',
      state,
      rates.collateralExchangeRates,
      rates.cumulativeBorrowRates,
    );
    const { userTotalBorrowBorrowFactorAdjusted: debt, borrowLiquidationLimit: limit } = refreshedStats;
    if (debt.gte(limit)) liquidatable += 1;
  }
  return { loans: states.length, liquidatable, ms: performance.now() - startedAt };
}

async function read(url: string, addresses: readonly string[]): Promise<Buffer[]> {
  const params = [addresses, { encoding: 'base64' }];
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params }),
  });
  const { result } = (await response.json()) as { result: { value: ({ data: [string, string] } | null)[] } };
  return result.value.flatMap((account) =>
    account === null ? [] : [Buffer.from(account.data[0], 'base64')],
  );
}

serveParent(null, { pass });
