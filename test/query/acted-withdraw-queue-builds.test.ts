import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import type { WithdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address, KeyPairSigner } from '@solana/kit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cases } from '../../packages/protocol/test/support/cases.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount, PlanActor } from '../support/apps/plan-actor.ts';
import {
  heldIn,
  QueueBuilds,
  type QueueKind,
  type QueuePlan,
  refusedWith,
  ticketIn,
  unitsOf,
} from '../support/apps/queue-builds.ts';
import { depositForCollateral, queueReserve, ticketOf } from '../support/apps/queued-wallet.ts';
import { depositUnits } from '../support/lending/position-units.ts';
import { collateralAccount, liquidityAccount, ticketAt } from '../support/localnet/queue-calls.ts';

/**
 * Random builds of the withdraw queue over GraphQL and REST: one that cannot work names the program's error, which its
 * simulation then has; of any other, the chain does what the preview says, to the base unit.
 */

const CASES = cases(30, 330);
const SEED = 20_261_119;
const USDC = 1_000_000n;
const { klend } = MAINNET_PROGRAMS;
/** Lamports. */
const [FEE, TOKEN_ACCOUNT_RENT] = [5_000n, 2_039_280n];

const FREQUENCIES = {
  enqueue: 7,
  enqueueDeposit: 3,
  pay: 9,
  cancel: 5,
  recover: 3,
  supply: 7,
  spoil: 1,
  repair: 6,
} as const;

type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

const steps = fc.record({
  kind: fc.oneof(
    ...Object.entries(FREQUENCIES).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as keyof typeof FREQUENCIES),
    })),
  ),
  pick: fc.nat(1_000),
  /** Base units; some next to the minimum of a dollar. Null for all. */
  amount: fc.oneof(
    { weight: 14, arbitrary: fc.bigInt(4n * USDC, 60n * USDC) },
    { weight: 2, arbitrary: fc.bigInt(USDC - 300_000n, USDC + 300_000n) },
    { weight: 1, arbitrary: fc.constantFrom(1n, 900_000n * USDC) },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  byRest: fc.boolean(),
});

let world: ActingApp;
let builds: QueueBuilds;
let market: Address;
let reserve: Address;
let savers: readonly KeyPairSigner[];
let borrower: PlanActor;
let stranger: KeyPairSigner;

beforeAll(async () => {
  world = await startActingApp();
  const { addresses } = world.localnet;
  ({ market, reserve } = addresses);
  builds = new QueueBuilds(world);
  const funds = { [addresses.tokenMint]: 20_000n * USDC };
  savers = [await world.newWallet(funds), await world.newWallet(funds)];
  for (const saver of savers) await depositForCollateral(world, saver, reserve, 15_000n * USDC);
  borrower = new PlanActor(world, await world.newWallet(funds));
  await borrower.act(
    borrower.lending('Deposit', reserve, '10000'),
    borrower.lending('Borrow', addresses.depositReserve, '5'),
  );
  stranger = await world.newWallet({});
  leaveAvailable(20n * USDC);
});
afterAll(() => world?.stop());

/** Lends out all liquidity of the reserve but an amount; the supply stays the same. */
function leaveAvailable(amount: bigint): void {
  const { totalAvailableAmount, borrowedAmountSf } = queueReserve(world, reserve).data.liquidity;
  const lent = totalAvailableAmount - amount;
  alterAccount(world, reserveLayout, reserve, {
    liquidity: {
      totalAvailableAmount: amount,
      borrowedAmountSf: borrowedAmountSf + lent * FRACTION_ONE,
    },
  });
}

const amountOf = (units: bigint | null) =>
  units === null ? { all: 'ALL' } : { tokens: `${units / USDC}.${String(units % USDC).padStart(6, '0')}` };

interface Request {
  readonly kind: QueueKind;
  readonly signer: KeyPairSigner;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Null when there is no ticket to act on. */
function requestOf({ kind: asked, pick, amount }: Step): Request | null {
  const { withdrawQueue } = queueReserve(world, reserve).data;
  const { nextIssuedTicketSequenceNumber: issued, nextWithdrawableTicketSequenceNumber: next } =
    withdrawQueue;
  // An empty queue pays nothing.
  const kind = asked === 'pay' && issued === next ? 'enqueue' : asked;
  const place = { market, reserve };
  const saver = savers[pick % savers.length] ?? expect.fail('no saver');
  const ticket = openTicket(pick, pick % (kind === 'recover' ? 2 : 8) === 0);
  switch (kind) {
    case 'enqueue':
      return { kind, signer: saver, input: { wallet: saver.address, ...place, amount: amountOf(amount) } };
    case 'enqueueDeposit': {
      const { address } = obligationAddress(klend, borrower.address, market, VANILLA_OBLIGATION);
      // All of it would leave nothing for the cases after it.
      const part = amountOf(amount ?? 10n * USDC);
      const input = { wallet: borrower.address, ...place, amount: part, obligation: { address } };
      return { kind: 'enqueue', signer: borrower.signer, input };
    }
    case 'pay':
      return { kind, signer: stranger, input: { wallet: stranger.address, ...place } };
    case 'cancel': {
      const owner = [...savers, borrower.signer].find(({ address }) => address === ticket?.owner);
      if (ticket === null || owner === undefined) return null;
      return {
        kind,
        signer: owner,
        input: { wallet: owner.address, ticket: ticket.address, amount: amountOf(amount) },
      };
    }
    case 'recover':
      return (
        ticket && { kind, signer: stranger, input: { wallet: stranger.address, ticket: ticket.address } }
      );
    default:
      return null;
  }
}

/** One of the last eight open tickets, or of the invalid ones. Null while there is none. */
function openTicket(
  pick: number,
  isInvalid: boolean,
): { readonly address: Address; readonly owner: Address } | null {
  const queue = queueReserve(world, reserve);
  const issued = Number(queue.data.withdrawQueue.nextIssuedTicketSequenceNumber);
  const open = Array.from({ length: issued }, (_, number) => BigInt(number)).flatMap((number) => {
    const ticket = ticketOf(world, reserve, number);
    return ticket === null ? [] : [{ ...ticketState(ticket), address: ticketAt(queue, number) }];
  });
  const invalid = open.filter((ticket) => ticket.isInvalid);
  const among = isInvalid && invalid.length > 0 ? invalid : open.slice(-8);
  return among[pick % among.length] ?? null;
}

const ticketState = ({ owner, invalid }: WithdrawTicket) => ({ owner, isInvalid: invalid !== 0 });

function changeSurroundings({ kind, pick, amount }: Step): void {
  const saver = savers[pick % savers.length] ?? expect.fail('no saver');
  const destination = liquidityAccount(queueReserve(world, reserve), saver.address);
  if (kind === 'supply') leaveAvailable(amount === null ? 0n : 2n * amount);
  if (kind === 'spoil') builds.changeToken(destination, { delegate: stranger.address });
  if (kind === 'repair') builds.changeToken(destination, { delegate: null });
}

/** The outcome that the preview promises, read from the accounts that the transaction leaves. */
async function expectOutcome(request: Request, plan: QueuePlan, byRest: boolean): Promise<void> {
  const { preview } = plan;
  const { ticket, sequenceNumber, owner, destination, paid, returned, rent, ...figures } =
    preview.withdrawQueue;
  const before = builds.accounts;
  const queue = queueReserve(world, reserve);
  const own = { tokens: destination, collateral: collateralAccount(queue, owner) };
  const wallet = request.signer.address;
  const held = {
    tokens: heldIn(before, own.tokens),
    collateral: heldIn(before, own.collateral),
    lamports: before.get(wallet)?.lamports ?? 0n,
    opening: before.get(own.collateral) === undefined ? TOKEN_ACCOUNT_RENT : 0n,
  };
  expect(unitsOf(figures.collateral.before, 6)).toBe(ticketIn(before, ticket)?.queuedCollateralAmount ?? 0n);
  expect(BigInt(figures.ticketsAhead ?? 0)).toBe(
    figures.ticketsAhead === null
      ? 0n
      : BigInt(sequenceNumber) - queue.data.withdrawQueue.nextWithdrawableTicketSequenceNumber,
  );
  const { after } = await builds.send(request.kind, request.input, plan, request.signer, byRest);
  const left = ticketIn(after, ticket);
  expect(unitsOf(figures.collateral.after, 6)).toBe(left?.queuedCollateralAmount ?? 0n);
  const state =
    left && (left.invalid ? 'INVALID' : left.queuedCollateralAmount === 0n ? 'CANCELLED' : 'QUEUED');
  expect(figures.state).toBe(state);
  expect(heldIn(after, own.tokens) - held.tokens).toBe(BigInt(paid?.baseUnits ?? 0));
  expect(heldIn(after, own.collateral) - held.collateral).toBe(
    request.kind === 'enqueue' && request.input.obligation === undefined
      ? -(left?.queuedCollateralAmount ?? 0n)
      : BigInt(returned?.baseUnits ?? 0),
  );
  if (rent !== null) {
    const spent = held.lamports - (after.get(wallet)?.lamports ?? 0n);
    expect(spent).toBe(BigInt(rent.baseUnits) + held.opening + FEE);
  }
  if (preview.tokens !== null && request.input.obligation !== undefined) {
    const { address } = request.input.obligation as { readonly address: Address };
    const deposit = depositUnits(after, address, reserve);
    expect(unitsOf(preview.tokens.after.slice(0, preview.tokens.after.indexOf('.') + 7), 6)).toBe(
      deposit.floor(),
    );
  }
}

it(`previews ${CASES} random actions as the chain then executes them`, { timeout: 600_000 }, async () => {
  const seen = new Map<string, number>();
  const note = (result: string) => seen.set(result, (seen.get(result) ?? 0) + 1);
  let tried = 0;
  let accepted = 0;
  for (const step of fc.sample(steps, { numRuns: 2 * CASES, seed: SEED })) {
    if (tried >= CASES) break;
    const request = requestOf(step);
    if (request === null) {
      changeSurroundings(step);
      continue;
    }
    tried += 1;
    const plan = await builds.build(request.kind, request.input);
    if (plan.__typename !== 'TransactionPlan') {
      note(`${step.kind} ${plan.code}`);
      continue;
    }
    const refused = refusedWith(plan);
    if (refused === null) {
      await expectOutcome(request, plan, step.byRest);
      accepted += 1;
      note(`${step.kind} ${plan.preview.withdrawQueue.state ?? 'closed'}`);
      continue;
    }
    expect(plan.simulation.success).toBe(false);
    if (refused.code > 0) expect(plan.simulation.error).toEqual(refused);
    note(`${step.kind} ${refused.name}`);
  }
  expect(tried).toBe(CASES);
  expect(accepted, [...seen].join('\n')).toBeGreaterThan(CASES / 2);
  if (tried < 300) return;
  const wanted = [
    ...['QUEUED', 'WithdrawTicketValueTooSmall', 'BALANCE_TOO_LOW', 'InvalidTokenAccountState'].map(
      (result) => `enqueue ${result}`,
    ),
    ...['QUEUED', 'WithdrawTicketValueTooSmall'].map((result) => `enqueueDeposit ${result}`),
    ...['closed', 'QUEUED', 'INVALID', 'InsufficientLiquidity'].map((result) => `pay ${result}`),
    ...['QUEUED', 'CANCELLED', 'WithdrawTicketInvalid'].map((result) => `cancel ${result}`),
    ...['closed', 'WithdrawTicketStillValid'].map((result) => `recover ${result}`),
  ];
  expect(
    wanted.filter((result) => !seen.has(result)),
    [...seen].join('\n'),
  ).toEqual([]);
});
