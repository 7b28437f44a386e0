import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import {
  depositForCollateral,
  payHead,
  queueReserve,
  queueTicket,
  ticketOf,
} from '../support/apps/queued-wallet.ts';
import { sendInstructions } from '../support/apps/system-transactions.ts';
import { cancelCall, ticketAt } from '../support/localnet/queue-calls.ts';

/** Tickets of a wallet on the frozen localnet, as lists of transactions show them afterwards. */

const USDC = 1_000_000n;

interface Row {
  readonly transactionName: string;
  readonly transactionSignature: string;
  readonly timestamp: number;
  readonly reserve: string;
  readonly withdrawTicket: string;
  readonly liquidityTokenMint: string;
  readonly liquidityTokenAmount: string;
}
interface Answer {
  readonly obligations: Readonly<Record<string, readonly unknown[]>>;
  readonly withdrawQueueTransactions: readonly Row[];
}

let world: ActingApp;
let wallet: KeyPairSigner;
let market: Address;
let reserve: Address;
let held: bigint;
let tickets: Address[];
beforeAll(async () => {
  world = await startActingApp({ recorder: true });
  const { addresses } = world.localnet;
  ({ reserve, market } = addresses);
  wallet = await world.newWallet({ [addresses.tokenMint]: 1_000n * USDC });
  held = await depositForCollateral(world, wallet, reserve, 1_000n * USDC);
  const first = await queueTicket(world, wallet, reserve, held / 4n);
  const second = await queueTicket(world, wallet, reserve, held - held / 4n);
  tickets = [first, second].map((number) => ticketAt(queueReserve(world, reserve), number));
  await payHead(world, await world.newWallet({}), reserve);
  const cancelled = cancelCall(queueReserve(world, reserve), wallet.address, second, 2n ** 64n - 1n);
  await sendInstructions(world, [cancelled], [wallet]);
  expect([ticketOf(world, reserve, first), ticketOf(world, reserve, second)?.queuedCollateralAmount]).toEqual(
    [null, 0n],
  );
});
afterAll(() => world?.stop());

describe('tickets that were issued, paid and cancelled', () => {
  it('are in the transactions of their wallet, in order, with what they moved', async () => {
    const url = `/v3/svc-market/${market}/users/${wallet.address}/transactions`;
    const { obligations, withdrawQueueTransactions: rows } = await world.get<Answer>(url);
    expect(obligations).toEqual({});
    expect(rows.map(({ transactionName, withdrawTicket }) => [transactionName, withdrawTicket])).toEqual([
      ['enqueueToWithdraw', tickets[0]],
      ['enqueueToWithdraw', tickets[1]],
      ['withdrawQueuedLiquidity', tickets[0]],
      ['cancelWithdrawTicket', tickets[1]],
    ]);
    const { tokenMint } = world.localnet.addresses;
    for (const row of rows) expect(row).toMatchObject({ reserve, liquidityTokenMint: tokenMint });
    // A payment is worth what the wallet has now, to the base unit.
    const paid = BigInt(Math.round(Number(rows[2]?.liquidityTokenAmount) * Number(USDC)));
    expect(paid).toBe(await world.tokens(wallet.address, tokenMint));
    // Each rounding of deposit and payment loses less than a base unit.
    expect(paid).toBeGreaterThan(250n * USDC - 3n);
    expect(paid).toBeLessThan(251n * USDC);
    const newestFirst = await world.get<Answer>(`${url}?sort=desc`);
    expect(newestFirst.withdrawQueueTransactions).toEqual(rows.toReversed());
    const everywhere = await world.get<(Answer & { market: string })[]>(
      `/v3/svc-market/users/${wallet.address}/transactions`,
    );
    expect(everywhere).toEqual([{ market, obligations: {}, withdrawQueueTransactions: rows }]);
  });

  it('are in the graph, with amounts in collateral tokens', async () => {
    const { data, errors } = await world.gateway.query<{
      wallet: {
        withdrawQueueTransactions: {
          totalCount: number;
          nodes: { kind: string; collateral: string; vaultAddress: null; obligationAddress: null }[];
        };
      };
    }>(
      `{ wallet(address: "${wallet.address}") { withdrawQueueTransactions(first: 3) {
        totalCount nodes { kind collateral vaultAddress obligationAddress }
      } } }`,
    );
    expect(errors).toEqual([]);
    const { totalCount, nodes } = data.wallet.withdrawQueueTransactions;
    expect(totalCount).toBe(4);
    const units = (text: string) => BigInt(Math.round(Number(text) * Number(USDC)));
    expect(nodes.map(({ kind, collateral }) => [kind, units(collateral)])).toEqual([
      ['CANCEL', held - held / 4n],
      ['WITHDRAW', held / 4n],
      ['ENQUEUE', held - held / 4n],
    ]);
    for (const each of nodes) expect(each).toMatchObject({ vaultAddress: null, obligationAddress: null });
  });
});
