import { createHash } from 'node:crypto';
import type { ChainTransaction } from '@sluice/localnet/chain';
import { obligationAddress } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR } from '../../src/store/history/time-buckets.ts';
import { type LendingWorld, SOMEONE, startLendingWorld } from '../support/apps/lending-history-app.ts';
import { allTransactions, confirmed } from '../support/localnet/confirmed-transactions.ts';

interface Row {
  readonly timestamp: number;
  readonly transactionSignature: string;
  readonly transactionName: string;
  readonly transactionDisplayName: string;
  readonly liquidityToken: string;
  readonly liquidityTokenMint: string;
  readonly liquidityTokenAmount: string;
  readonly isLiquidationWithdrawal: boolean;
  readonly obligationType: string;
}
type ByObligation = Readonly<Record<string, readonly Row[]>>;
type ByMarket = readonly { readonly market: string; readonly obligations: ByObligation }[];

let world: LendingWorld;
beforeAll(async () => {
  world = await startLendingWorld();
});
afterAll(() => world?.stop());

async function get<T>(url: string): Promise<T> {
  const { status, body } = await world.get(url);
  expect([url, status, status === 200 ? null : body]).toEqual([url, 200, null]);
  return body as T;
}

const ofUser = (wallet: string, query = '') =>
  get<ByMarket>(`/v2/svc-market/users/${wallet}/transactions${query}`);
const inMarket = (market: string, wallet: string, query = '') =>
  get<ByObligation>(`/v2/svc-market/${market}/users/${wallet}/transactions${query}`);
const ofObligation = async (market: string, obligation: string, query = '') =>
  (
    await get<{ transactions: readonly (Row & { obligation: string })[] }>(
      `/v2/svc-market/${market}/obligations/${obligation}/transactions${query}`,
    )
  ).transactions;

/** The eight bytes that Anchor puts before the arguments of an instruction. */
const discriminator = (name: string) =>
  createHash('sha256')
    .update(`global:${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`)
    .digest('hex')
    .slice(0, 16);

/** Every call of the lending program in a transaction, by the start of its data. */
function lendingCalls(transaction: ChainTransaction) {
  const { instructions, innerInstructions, failed } = confirmed(transaction);
  const calls = [...instructions, ...innerInstructions.flatMap((inner) => inner.instructions)];
  return failed
    ? []
    : calls
        .filter(({ programAddress }) => programAddress === MAINNET_PROGRAMS.klend)
        .map(({ data, accounts }) => ({
          start: Buffer.from(data.subarray(0, 8)).toString('hex'),
          accounts,
        }));
}

/** Base units that a token account gained, negative for a loss. */
function gainedBy(transaction: ChainTransaction, account: Address): bigint {
  const { accountKeys, preTokenBalances, postTokenBalances } = confirmed(transaction);
  const index = accountKeys.indexOf(account);
  const amount = (balances: typeof preTokenBalances) =>
    balances.find(({ accountIndex }) => accountIndex === index)?.amount ?? 0n;
  return amount(postTokenBalances) - amount(preTokenBalances);
}

const baseUnits = (amount: string, decimals: number) => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
};

describe('transactions of the localnet', () => {
  const SIGN: Readonly<Record<string, bigint>> = { Deposit: 1n, Repay: 1n, Withdraw: -1n };
  let chain: ReadonlyMap<string, ChainTransaction>;
  let owners: Address[];
  beforeAll(async () => {
    const events = await world.ingestAll();
    const counts = new Map<Address, number>();
    for (const { owner } of events) if (owner !== null) counts.set(owner, (counts.get(owner) ?? 0) + 1);
    const liquidated = events.find(({ kind }) => kind === 'liquidation')?.owner;
    const busiest = [...counts].sort(([, a], [, b]) => b - a).map(([owner]) => owner);
    owners = [...new Set([...busiest.slice(0, 6), ...(liquidated ? [liquidated] : [])])];
    await world.read([...owners, ...new Set(events.map(({ obligation }) => obligation))]);
    chain = new Map(allTransactions(world.localChain.worldChain).map((each) => [each.signature, each]));
  });

  it('name the instruction, the token and the amount that the chain has', async () => {
    const reserves = world.view.reservesOfMarket(world.market);
    const kinds = new Set<string>();
    for (const owner of owners) {
      for (const [obligation, rows] of Object.entries(await inMarket(world.market, owner))) {
        for (const row of rows) {
          const transaction = chain.get(row.transactionSignature);
          if (transaction === undefined) throw new Error(`${row.transactionSignature} is not on the chain`);
          expect(row.timestamp).toBe(transaction.blockTime * 1_000);
          const calls = lendingCalls(transaction).filter(
            ({ start, accounts }) =>
              start === discriminator(row.transactionName) && accounts.includes(obligation as Address),
          );
          expect([row.transactionName, calls.length]).not.toContain(0);
          const supplies = reserves.filter(
            ({ value, address }) =>
              value.liquidity.mintPubkey === row.liquidityTokenMint &&
              calls.some(({ accounts }) => accounts.includes(address)),
          );
          expect(supplies.length).toBeGreaterThan(0);
          kinds.add(row.transactionDisplayName);
          const [supply] = supplies;
          const sign = SIGN[row.transactionDisplayName];
          // Alone in its transaction, it moved what the supply of the reserve gained or lost.
          const alone = lendingCalls(transaction).filter(({ start }) => NAMES.has(start)).length === 1;
          if (supply === undefined || sign === undefined || !alone) continue;
          const gained = gainedBy(transaction, supply.value.liquidity.supplyVault);
          const moved = baseUnits(row.liquidityTokenAmount, Number(supply.value.liquidity.mintDecimals));
          expect([row.transactionSignature, sign * gained]).toEqual([row.transactionSignature, moved]);
        }
      }
    }
    expect([...kinds].sort()).toEqual(['Borrow', 'Deposit', 'Liquidation', 'Repay', 'Withdraw']);
  });

  const NAMES = new Set(
    [
      'depositReserveLiquidityAndObligationCollateral',
      'borrowObligationLiquidity',
      'repayObligationLiquidity',
      'withdrawObligationCollateralAndRedeemReserveCollateral',
      'liquidateObligationAndRedeemReserveCollateral',
    ].flatMap((name) => [discriminator(name), discriminator(`${name}V2`)]),
  );

  it('of a user are those of its obligations, in every spelling', async () => {
    const markets = world.localChain.worldChain.world.markets.map(({ address }) => address);
    for (const owner of owners) {
      const all = await ofUser(owner);
      const each = await Promise.all(
        markets.map(async (market) => ({ market, obligations: await inMarket(market, owner) })),
      );
      const present = each.filter(({ obligations }) => Object.keys(obligations).length > 0);
      expect(all).toEqual(present.sort((a, b) => (a.market < b.market ? -1 : 1)));
      for (const { market, obligations } of all) {
        for (const [obligation, rows] of Object.entries(obligations)) {
          expect(await ofObligation(market, obligation)).toEqual(rows.map((row) => ({ ...row, obligation })));
        }
      }
    }
  });

  it('are newest first, or oldest first', async () => {
    const [owner = ''] = owners;
    for (const { market, obligations } of await ofUser(owner)) {
      const ascending = await inMarket(market, owner, '?sort=asc');
      for (const [obligation, rows] of Object.entries(obligations)) {
        expect(ascending[obligation]).toEqual(rows.toReversed());
        const times = rows.map(({ timestamp }) => timestamp);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
      }
    }
  });
});

describe('transactions of a closed obligation', () => {
  const path = () => `/v2/svc-market/users/${SOMEONE}/transactions?sort=asc`;
  let sol: Address;
  let gone: Address;
  beforeAll(async () => {
    await world.forgetEvents();
    const reserves = world.view.reservesOfMarket(world.market);
    const find = (test: (value: (typeof reserves)[number]['value']) => boolean) => {
      const found = reserves.find(({ value }) => test(value));
      if (found === undefined) throw new Error('the market lacks a reserve');
      return found;
    };
    const dollars = find(({ liquidity }) => liquidity.mintDecimals === 6n);
    sol = find(({ liquidity }) => liquidity.mintPubkey === WRAPPED_SOL_MINT).address;
    const key = { tag: 1, id: 0, seed1: WRAPPED_SOL_MINT, seed2: dollars.value.liquidity.mintPubkey };
    gone = obligationAddress(MAINNET_PROGRAMS.klend, SOMEONE, world.market, key).address;
    await world.record(HOUR, [
      { at: world.ago(7_200), solUsd: '20', reserves: { [sol]: { price: '20', exchangeRate: '0.5' } } },
      { at: world.ago(3_600), solUsd: '25', reserves: { [sol]: { price: '25', exchangeRate: '0.5' } } },
    ]);
    await world.happened([
      {
        ...{ kind: 'deposit', side: 'collateral', reserve: sol, obligation: gone },
        ...{ time: world.secondsAgo(7_200), liquidity: null, collateral: 1_000_000_000n },
        instruction: 'depositObligationCollateralV2',
      },
      {
        ...{ kind: 'repay', side: 'debt', reserve: dollars.address, obligation: gone },
        ...{ time: world.secondsAgo(3_600), liquidity: 5_000_000n, index: 0 },
        instruction: 'repayAndWithdrawAndRedeem',
      },
      {
        ...{ kind: 'withdraw', side: 'collateral', reserve: sol, obligation: gone },
        ...{ time: world.secondsAgo(3_600), liquidity: 2_000_000_000n, collateral: 1_000_000_000n },
        instruction: 'repayAndWithdrawAndRedeem',
      },
    ]);
    await world.read([SOMEONE, gone]);
  });

  it('have its purpose, tokens for collateral, prices of the time, and marked second parts', async () => {
    const [first] = await get<ByMarket>(path());
    expect(first?.market).toBe(world.market);
    const rows = first?.obligations[gone] ?? [];
    const common = { isLiquidationWithdrawal: false, obligationType: 'Multiply' };
    const SOL = { liquidityToken: 'SOL', liquidityTokenMint: WRAPPED_SOL_MINT, liquidityTokenAmount: '2' };
    expect(rows).toMatchObject([
      {
        ...common,
        ...SOL,
        transactionName: 'depositObligationCollateralV2',
        ...{ liquidityTokenPrice: '20', solPrice: '20', liquidityUsdValue: '40' },
      },
      { ...common, transactionDisplayName: 'Repay', liquidityTokenAmount: '5', solPrice: '25' },
      {
        ...common,
        ...SOL,
        transactionName: 'repayAndWithdrawAndRedeem',
        ...{ liquidityTokenPrice: '25', solPrice: '25', liquidityUsdValue: '50' },
        isSecondPartOfCompositeIx: true,
      },
    ]);
    // No price of this token was recorded, and the first part is not marked.
    for (const absent of ['liquidityTokenPrice', 'liquidityUsdValue', 'isSecondPartOfCompositeIx'])
      expect(rows[1]).not.toHaveProperty(absent);
  });

  it('have the usual instruction where an earlier version stored none', async () => {
    await world.history.db.run('UPDATE lending_event SET instruction = NULL');
    const names = (await ofObligation(world.market, gone, '?sort=asc')).map((row) => row.transactionName);
    expect(names).toEqual([
      'depositReserveLiquidityAndObligationCollateralV2',
      'repayObligationLiquidityV2',
      'withdrawObligationCollateralAndRedeemReserveCollateralV2',
    ]);
  });

  it('are reported as incomplete in a header until all are read', async () => {
    expect((await world.get(path())).headers.get('x-complete')).toBeNull();
    await world.read([gone], false);
    expect((await world.get(path())).headers.get('x-complete')).toBe('false');
  });
});
