import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { PlanActor } from '../support/apps/plan-actor.ts';
import {
  heldIn,
  QUEUE_FIGURES,
  QueueBuilds,
  type TicketFigures,
  ticketIn,
  unitsOf,
} from '../support/apps/queue-builds.ts';
import { collateralHeld, queueReserve } from '../support/apps/queued-wallet.ts';
import { depositUnits, ratiosOf } from '../support/lending/position-units.ts';
import { ticketAt } from '../support/localnet/queue-calls.ts';

/** Plans with actions on a withdraw queue, and queued withdrawals of collateral: previewed, sent and read back. */

const { klend } = MAINNET_PROGRAMS;
const USDC = 1_000_000n;
const SOL = 1_000_000_000n;

let world: ActingApp;
let builds: QueueBuilds;
let market: Address;
let reserve: Address;
let solReserve: Address;

beforeAll(async () => {
  world = await startActingApp();
  builds = new QueueBuilds(world);
  const { addresses } = world.localnet;
  ({ market, reserve, depositReserve: solReserve } = addresses);
});
afterAll(() => world?.stop());

const newActor = async () =>
  new PlanActor(world, await world.newWallet({ [world.localnet.addresses.tokenMint]: 20_000n * USDC }));
const obligationOf = (actor: PlanActor): Address =>
  obligationAddress(klend, actor.address, market, VANILLA_OBLIGATION).address;
const enqueueing = (actor: PlanActor, at: Address, amount: object, fromObligation = true) => ({
  wallet: actor.address,
  market,
  reserve: at,
  amount,
  ...(fromObligation && { obligation: { address: obligationOf(actor) } }),
});
/** Address of the ticket that is issued after `ahead` others. */
function nextTicket(at: Address, ahead = 0n): Address {
  const queue = queueReserve(world, at);
  return ticketAt(queue, queue.data.withdrawQueue.nextIssuedTicketSequenceNumber + ahead);
}

interface Planned {
  readonly __typename: string;
  readonly message?: string;
  readonly transactions: readonly { readonly base64: string }[];
  readonly steps: readonly {
    readonly kind: string;
    readonly preview: { readonly withdrawQueue: TicketFigures | null };
  }[];
  readonly simulation: { readonly success: boolean; readonly logs: readonly string[] };
}

async function plan(actions: readonly object[]): Promise<Planned> {
  const { data, errors } = await world.gateway.query<{ plan: Planned }>(
    `mutation ($actions: [BuildAction!]!) { plan: buildPlan(actions: $actions) {
      __typename
      ... on BuildError { code message step }
      ... on TransactionPlan {
        transactions { base64 }
        steps { kind preview { ${QUEUE_FIGURES} } }
        simulation { success logs }
      }
    } }`,
    { variables: { actions }, headers: await builds.headers() },
  );
  expect(errors).toEqual([]);
  expect(data.plan.__typename, data.plan.message).toBe('TransactionPlan');
  expect(data.plan.simulation.success, data.plan.simulation.logs.join('\n')).toBe(true);
  return data.plan;
}

/** Sends a plan of one transaction. */
async function send({ transactions }: Planned, actor: PlanActor) {
  expect(transactions).toHaveLength(1);
  return await world.send('RPC', transactions[0]?.base64 ?? '', actor.signer);
}

describe('collateral in an obligation', () => {
  it('is queued in one transaction, as far as the debts allow', async () => {
    const actor = await newActor();
    await actor.act(actor.lending('Deposit', reserve, '1000'), actor.lending('Borrow', solReserve, '2'));
    const input = enqueueing(actor, reserve, { all: 'ALL' });
    const built = await builds.build('enqueue', input);
    expect(built.preview.warnings.filter(({ level }) => level === 'ERROR')).toEqual([]);
    const { withdrawQueue, tokens, healthFactor } = built.preview;
    const { after } = await builds.send('enqueue', input, built, actor.signer, false);
    const ticket = ticketIn(after, withdrawQueue.ticket);
    expect(ticket).toMatchObject({ owner: actor.address, reserve, invalid: 0 });
    expect(unitsOf(withdrawQueue.collateral.after, 6)).toBe(ticket?.queuedCollateralAmount);
    const left = depositUnits(after, obligationOf(actor), reserve);
    expect(Number(tokens?.after)).toBeCloseTo(Number(left.floor()) / 1e6, 5);
    expect(Number(healthFactor?.after)).toBeCloseTo(
      Number(ratiosOf(after, obligationOf(actor)).healthFactor?.toNumber() ?? Number.NaN),
      6,
    );
    // More would leave the debt without cover.
    const more = await builds.build(
      'enqueue',
      enqueueing(actor, reserve, { tokens: (Math.floor(Number(tokens?.after) * 1e6) / 1e6).toFixed(6) }),
    );
    expect(more.preview.warnings.map(({ code }) => code)).toContain('COLLATERAL_TOO_LOW');
    expect(more.simulation.success).toBe(false);
  });

  it('leaves an obligation closed that had nothing else', async () => {
    const actor = await newActor();
    await actor.act(actor.lending('Deposit', reserve, '500'));
    const input = enqueueing(actor, reserve, { all: 'ALL' });
    const built = await builds.build('enqueue', input);
    const { after } = await builds.send('enqueue', input, built, actor.signer, true);
    expect(after.get(obligationOf(actor))?.lamports ?? 0n).toBe(0n);
    expect(built.preview.tokens?.after).toBe('0');
    expect(built.preview.warnings.map(({ code }) => code)).toEqual(['QUEUE_NOT_NEEDED']);
  });
});

describe('a plan', () => {
  it('queues a deposit and cancels its ticket', async () => {
    const actor = await newActor();
    await actor.act(actor.lending('Deposit', reserve, '800'));
    const ticket = nextTicket(reserve);
    const built = await plan([
      { enqueueWithdraw: enqueueing(actor, reserve, { tokens: '300' }) },
      { cancelWithdrawTicket: { wallet: actor.address, ticket, amount: { all: 'ALL' } } },
    ]);
    const [entry, cancellation] = built.steps.map(({ preview }) => preview.withdrawQueue);
    expect(built.steps.map(({ kind }) => kind)).toEqual(['ENQUEUE_WITHDRAW', 'CANCEL_WITHDRAW_TICKET']);
    expect(entry).toMatchObject({ ticket, state: 'QUEUED' });
    expect(cancellation).toMatchObject({ ticket, state: 'CANCELLED', collateral: { after: '0' } });
    expect(cancellation?.collateral.before).toBe(entry?.collateral.after);
    const { after } = await send(built, actor);
    expect(ticketIn(after, ticket)?.queuedCollateralAmount).toBe(0n);
    expect(collateralHeld(world, reserve, actor.address)).toBe(
      BigInt(cancellation?.returned?.baseUnits ?? 0),
    );
  });

  it('queues collateral tokens of the wallet after those of the obligation', async () => {
    const actor = await newActor();
    await actor.act(actor.lending('Deposit', reserve, '700'));
    const [first, second] = [nextTicket(reserve), nextTicket(reserve, 1n)];
    const built = await plan([
      { enqueueWithdraw: enqueueing(actor, reserve, { tokens: '400' }) },
      { cancelWithdrawTicket: { wallet: actor.address, ticket: first, amount: { tokens: '150' } } },
      { enqueueWithdraw: enqueueing(actor, reserve, { all: 'ALL' }, false) },
    ]);
    const [entry, , again] = built.steps.map(({ preview }) => preview.withdrawQueue);
    expect(again?.ticket).toBe(second);
    expect(BigInt(again?.ticketsAhead ?? 0)).toBe(BigInt(entry?.ticketsAhead ?? 0) + 1n);
    const { after } = await send(built, actor);
    expect(ticketIn(after, second)?.queuedCollateralAmount).toBe(unitsOf(again?.collateral.after ?? '', 6));
    expect(collateralHeld(world, reserve, actor.address)).toBe(0n);
  });

  it('queues two parts of a deposit in debt, between a repayment and a withdrawal', async () => {
    const actor = await newActor();
    await actor.act(actor.lending('Deposit', reserve, '2000'), actor.lending('Borrow', solReserve, '1'));
    const [first, second] = [nextTicket(reserve), nextTicket(reserve, 1n)];
    const built = await plan([
      actor.lending('Repay', solReserve, '0.25'),
      { enqueueWithdraw: enqueueing(actor, reserve, { tokens: '100' }) },
      { enqueueWithdraw: enqueueing(actor, reserve, { tokens: '200' }) },
      actor.lending('Withdraw', reserve, '50'),
    ]);
    const figures = built.steps.flatMap(({ preview }) => preview.withdrawQueue ?? []);
    expect(figures.map(({ ticket }) => ticket)).toEqual([first, second]);
    for (const { base64 } of built.transactions) await world.send('RPC', base64, actor.signer);
    for (const { ticket, collateral } of figures) {
      expect(ticketIn(builds.accounts, ticket)?.queuedCollateralAmount).toBe(unitsOf(collateral.after, 6));
    }
  });

  it('queues SOL and collects it unwrapped, when nobody waits before', async () => {
    const actor = new PlanActor(world, await world.newWallet({}));
    await actor.act(actor.lending('Deposit', solReserve, '3'));
    const built = await plan([
      { enqueueWithdraw: enqueueing(actor, solReserve, { tokens: '2' }) },
      { withdrawQueued: { wallet: actor.address, market, reserve: solReserve } },
    ]);
    const [entry, payment] = built.steps.map(({ preview }) => preview.withdrawQueue);
    expect(payment).toMatchObject({ ticket: entry?.ticket, state: null, owner: actor.address });
    expect(BigInt(payment?.paid?.baseUnits ?? 0)).toBeGreaterThanOrEqual(2n * SOL);
    const before = builds.accounts.get(actor.address)?.lamports ?? 0n;
    const { after } = await send(built, actor);
    const wrapped = associatedTokenAddress(actor.address, TOKEN_PROGRAM, WRAPPED_SOL_MINT).address;
    expect(heldIn(after, wrapped)).toBe(0n);
    const gained = (after.get(actor.address)?.lamports ?? 0n) - before;
    // The vault of queued collateral and the account of collateral tokens stay open.
    const kept = 2n * 2_039_280n + 5_000n;
    expect(gained).toBe(BigInt(payment?.paid?.baseUnits ?? 0) - kept);
  });
});

describe('SOL that somebody else pays', () => {
  it('stays wrapped in the account of the owner', async () => {
    const [owner, payer] = [new PlanActor(world, await world.newWallet({})), await newActor()];
    await owner.act(owner.lending('Deposit', solReserve, '3'));
    const entry = enqueueing(owner, solReserve, { tokens: '1.5' });
    const queued = await builds.build('enqueue', entry);
    expect(queued.preview.warnings.map(({ code }) => code)).toContain('WSOL_LEFT_OVER');
    await builds.send('enqueue', entry, queued, owner.signer, false);
    const input = { wallet: payer.address, market, reserve: solReserve };
    const paying = await builds.build('pay', input);
    expect(paying.preview.withdrawQueue.owner).toBe(owner.address);
    const { after } = await builds.send('pay', input, paying, payer.signer, true);
    const wrapped = associatedTokenAddress(owner.address, TOKEN_PROGRAM, WRAPPED_SOL_MINT).address;
    expect(heldIn(after, wrapped)).toBe(BigInt(paying.preview.withdrawQueue.paid?.baseUnits ?? 0));
  });
});
