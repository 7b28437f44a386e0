import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import {
  collateralHeld,
  depositForCollateral,
  payHead,
  queueReserve,
  queueTicket,
  ticketOf,
} from '../support/apps/queued-wallet.ts';

/** The withdraw queue of reserves on the frozen localnet: acted on, and read back over GraphQL. */

const USDC = 1_000_000n;
/** Tickets with which the world's queue begins; the second one is cancelled. */
const WORLD_TICKETS = 4n;

let world: ActingApp;
let saver: KeyPairSigner;
let reserve: Address;
beforeAll(async () => {
  world = await startActingApp();
  const { addresses } = world.localnet;
  ({ reserve } = addresses);
  saver = await world.newWallet({ [addresses.tokenMint]: 1_000n * USDC });
});
afterAll(() => world?.stop());

async function newest(): Promise<Readonly<Record<string, string>>> {
  return { 'x-min-slot': String(await world.rpc.getSlot().send()) };
}

interface Tickets {
  readonly totalCount: number;
  readonly nodes: readonly {
    readonly sequenceNumber: string;
    readonly state: string;
    readonly collateral: string;
  }[];
}

async function ticketsOf(wallet: Address): Promise<Tickets> {
  const { data, errors } = await world.gateway.query<{ wallet: { withdrawTickets: Tickets } }>(
    `{ wallet(address: "${wallet}") { withdrawTickets { totalCount nodes { sequenceNumber state collateral } } } }`,
    { headers: await newest() },
  );
  expect(errors).toEqual([]);
  return data.wallet.withdrawTickets;
}

describe('a wallet with collateral tokens', () => {
  it('queues them and is paid', async () => {
    const held = await depositForCollateral(world, saver, reserve, 1_000n * USDC);
    expect(held).toBeGreaterThan(0n);
    const number = await queueTicket(world, saver, reserve, held);
    expect(collateralHeld(world, reserve, saver.address)).toBe(0n);
    expect(await ticketsOf(saver.address)).toEqual({
      totalCount: 1,
      nodes: [
        { sequenceNumber: String(number), state: 'QUEUED', collateral: expect.stringMatching(/^[\d.]+$/) },
      ],
    });
    const payer = await world.newWallet({});
    await payHead(world, payer, reserve);
    expect(ticketOf(world, reserve, number)).toBeNull();
    expect(await ticketsOf(saver.address)).toEqual({ totalCount: 0, nodes: [] });
    // Deposit and payment are each rounded down by less than a base unit of either token.
    const { mintPubkey } = queueReserve(world, reserve).data.liquidity;
    const paid = await world.tokens(saver.address, mintPubkey);
    expect(paid).toBeGreaterThan(1_000n * USDC - 3n);
    expect(paid).toBeLessThan(1_000n * USDC + USDC);
  });
});

describe('what waits in a queue', () => {
  it('counts once: in the net value and in the portfolio, and in no balance', async () => {
    const { addresses } = world.localnet;
    const wallet = await world.newWallet({ [addresses.tokenMint]: 500n * USDC });
    const held = await depositForCollateral(world, wallet, reserve, 500n * USDC);
    await queueTicket(world, wallet, reserve, held);
    interface Amount {
      readonly usd: string;
    }
    const { data } = await world.gateway.query<{
      wallet: {
        netValue: Amount;
        withdrawTickets: { nodes: readonly { amount: Amount }[] };
        balances: readonly { amount: string; token: { mint: string } }[];
      };
    }>(
      `{ wallet(address: "${wallet.address}") { netValue { usd } withdrawTickets { nodes { amount { usd } } }
        balances { amount token { mint } } } }`,
      { headers: await newest() },
    );
    const { netValue, withdrawTickets, balances } = data.wallet;
    expect(Number(netValue.usd)).toBeGreaterThan(490);
    expect(withdrawTickets.nodes).toEqual([{ amount: netValue }]);
    const { collateral } = queueReserve(world, reserve).data;
    expect(balances.map(({ token }) => token.mint)).not.toContain(collateral.mintPubkey);
    const answer = await world.gateway.get(`/portfolio/${wallet.address}`);
    const portfolio = (await answer.json()) as Readonly<Record<string, readonly { value?: string }[]>>;
    const { lending, multiply, leverage, earn, privateCredit, staking } = portfolio;
    expect([lending, multiply, leverage, earn, privateCredit, staking]).toEqual([[], [], [], [], [], []]);
    expect(portfolio.withdrawTickets).toMatchObject([
      { value: netValue.usd, payableAmount: expect.any(String) },
    ]);
    await payHead(world, wallet, reserve);
  });
});

describe('the queue of the fully lent reserve', () => {
  function busyReserve(): Address {
    const { chain } = world.localnet;
    const found = chain.world.reserves.find(({ ticketsIssued }) => ticketsIssued > 0n);
    if (found === undefined) throw new RangeError('no reserve has a queue');
    return found.address;
  }

  it('is served from a new deposit, ticket after ticket', async () => {
    const address = busyReserve();
    const before = queueReserve(world, address).data;
    expect(before.withdrawQueue.nextIssuedTicketSequenceNumber).toBe(WORLD_TICKETS);
    const waiting = [0n, 1n, 2n, 3n].map((number) => ticketOf(world, address, number));
    const { mintPubkey, mintDecimals } = before.liquidity;
    const lender = await world.newWallet({ [mintPubkey]: 20_000n * 10n ** mintDecimals });
    await expect(payHead(world, lender, address)).rejects.toThrow();
    const held = await depositForCollateral(world, lender, address, 20_000n * 10n ** mintDecimals);
    for (let paid = 0n; paid < WORLD_TICKETS; paid += 1n) await payHead(world, lender, address);
    const after = queueReserve(world, address).data;
    expect(after.withdrawQueue).toMatchObject({
      queuedCollateralAmount: 0n,
      nextWithdrawableTicketSequenceNumber: WORLD_TICKETS,
    });
    for (const ticket of waiting) {
      if (ticket === null) throw new Error('the world has four tickets');
      const paid = await world.tokens(ticket.owner, mintPubkey);
      // A collateral token is worth more than a unit of liquidity, and less than two.
      expect(paid).toBeGreaterThanOrEqual(ticket.queuedCollateralAmount);
      expect(paid).toBeLessThan(2n * ticket.queuedCollateralAmount + 1n);
    }
    expect(collateralHeld(world, address, lender.address)).toBe(held);
  });
});
