import type { StoredAccount } from '@sluice/localnet/chain';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { withdrawTicket } from '@sluice/protocol/klend/withdraw-ticket';
import type { AccountLayout } from '@sluice/protocol/layout/account';
import type { Fields, StructInput } from '@sluice/protocol/layout/struct';
import { SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import {
  decodeTokenAccount,
  encodeTokenAccount,
  type TokenAccount,
} from '@sluice/protocol/token/token-account';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount, PlanActor } from '../support/apps/plan-actor.ts';
import { QueueBuilds, type QueueKind, refusedWith } from '../support/apps/queue-builds.ts';
import { depositForCollateral, queueReserve, queueTicket, ticketOf } from '../support/apps/queued-wallet.ts';
import { collateralAccount, liquidityAccount, ticketAt } from '../support/localnet/queue-calls.ts';

/**
 * Actions on a withdraw queue that cannot work: the preview names the program's error, and a simulation then fails with it. What
 * cannot be built at all says why.
 */

const USDC = 1_000_000n;

let world: ActingApp;
let builds: QueueBuilds;
let market: Address;
let reserve: Address;
let owner: KeyPairSigner;
let other: KeyPairSigner;
let ticket: Address;
let second: Address;
const changed = new Map<Address, StoredAccount>();

beforeAll(async () => {
  world = await startActingApp();
  builds = new QueueBuilds(world);
  ({ market, reserve } = world.localnet.addresses);
  const funds = { [world.localnet.addresses.tokenMint]: 5_000n * USDC };
  [owner, other] = [await world.newWallet(funds), await world.newWallet(funds)];
  for (const each of [owner, other]) await depositForCollateral(world, each, reserve, 2_000n * USDC);
  const first = await queueTicket(world, owner, reserve, 100n * USDC);
  ticket = ticketAt(queueReserve(world, reserve), first);
  second = ticketAt(queueReserve(world, reserve), await queueTicket(world, other, reserve, 50n * USDC));
});
afterAll(() => world?.stop());
afterEach(() => {
  world.localnet.chain.world.store.commit(changed);
  changed.clear();
});

const keep = (address: Address) => {
  if (!changed.has(address)) changed.set(address, accountIn(world.localnet.chain, address));
};

/** Changes an account until the end of the test. */
function alter<F extends Fields>(layout: AccountLayout<F>, address: Address, fields: StructInput<F>): void {
  keep(address);
  alterAccount(world, layout, address, fields);
}

const alterMarket = (fields: StructInput<typeof lendingMarket.body.fields>) =>
  alter(lendingMarket, market, fields);
const alterReserve = (fields: StructInput<typeof reserveLayout.body.fields>) =>
  alter(reserveLayout, reserve, fields);
const alterTicket = (fields: StructInput<typeof withdrawTicket.body.fields>) =>
  alter(withdrawTicket, ticket, fields);
function alterToken(address: Address, fields: Partial<TokenAccount>): void {
  keep(address);
  const account = accountIn(world.localnet.chain, address);
  const data = encodeTokenAccount({ ...decodeTokenAccount(account), ...fields });
  world.localnet.chain.world.store.commit(new Map([[address, { ...account, data }]]));
}

const inputOf = (kind: QueueKind): Readonly<Record<string, unknown>> => {
  const wallet = owner.address;
  switch (kind) {
    case 'enqueue':
      return { wallet, market, reserve, amount: { tokens: '20' } };
    case 'pay':
      return { wallet, market, reserve };
    case 'cancel':
      return { wallet, ticket, amount: { tokens: '20' } };
    case 'recover':
      return { wallet, ticket };
  }
};

interface Case {
  readonly kind: QueueKind;
  readonly name: string;
  readonly given?: () => void;
  readonly input?: object;
  readonly error: string;
  readonly number: number;
}

const EMERGENCY = { emergencyMode: 1 };
const ALL: readonly QueueKind[] = ['enqueue', 'pay', 'cancel', 'recover'];
const tokensOf = (wallet: KeyPairSigner) => liquidityAccount(queueReserve(world, reserve), wallet.address);
const collateralOf = (wallet: KeyPairSigner) =>
  collateralAccount(queueReserve(world, reserve), wallet.address);

/** A recovery is only for invalid tickets. */
const given = (kind: QueueKind, change: () => void) => () => {
  if (kind === 'recover') alterTicket({ invalid: 1 });
  change();
};

const CASES: readonly Case[] = [
  ...ALL.map((kind) => ({
    kind,
    name: 'a market in emergency mode',
    given: given(kind, () => alterMarket(EMERGENCY)),
    error: 'GlobalEmergencyMode',
    number: 6042,
  })),
  ...ALL.map((kind) => ({
    kind,
    name: 'a reserve in emergency mode',
    given: given(kind, () => alterReserve({ config: EMERGENCY })),
    error: 'ReserveEmergencyMode',
    number: 6175,
  })),
  ...ALL.map((kind) => ({
    kind,
    name: 'a reserve of an old version',
    given: given(kind, () => alterReserve({ version: 0n })),
    error: 'ReserveDeprecated',
    number: 6073,
  })),
  {
    kind: 'enqueue',
    name: 'an obsolete reserve',
    given: () => alterReserve({ config: { status: 1 } }),
    error: 'ReserveObsolete',
    number: 6082,
  },
  {
    kind: 'enqueue',
    name: 'a market without tickets',
    given: () => alterMarket({ withdrawTicketIssuanceEnabled: 0 }),
    error: 'WithdrawTicketIssuanceDisabled',
    number: 6145,
  },
  {
    kind: 'pay',
    name: 'a market without payments',
    given: () => alterMarket({ withdrawTicketRedemptionEnabled: 0 }),
    error: 'WithdrawTicketRedemptionDisabled',
    number: 6146,
  },
  {
    kind: 'cancel',
    name: 'a market without cancellations',
    given: () => alterMarket({ withdrawTicketCancellationEnabled: 0 }),
    error: 'WithdrawTicketCancellationDisabled',
    number: 6170,
  },
  {
    kind: 'enqueue',
    name: 'less than the minimum',
    given: () => alterMarket({ minWithdrawQueuedLiquidityValue: 21n }),
    error: 'WithdrawTicketValueTooSmall',
    number: 6154,
  },
  {
    kind: 'cancel',
    name: 'a rest below the minimum',
    given: () => alterMarket({ minWithdrawQueuedLiquidityValue: 100n }),
    error: 'WithdrawTicketValueTooSmall',
    number: 6154,
  },
  {
    kind: 'pay',
    name: 'a rest below the minimum',
    given: () => {
      alterReserve({ liquidity: { totalAvailableAmount: 60n * USDC } });
      alterMarket({ minWithdrawQueuedLiquidityValue: 1_000n });
    },
    error: 'WithdrawTicketValueTooSmall',
    number: 6154,
  },
  {
    kind: 'pay',
    name: 'a part below the minimum',
    given: () => {
      alterReserve({ liquidity: { totalAvailableAmount: USDC / 2n } });
      alterMarket({ minWithdrawQueuedLiquidityValue: 1n });
    },
    error: 'WithdrawQueuedLiquidityValueTooSmall',
    number: 6150,
  },
  {
    kind: 'pay',
    name: 'no liquidity',
    given: () => alterReserve({ liquidity: { totalAvailableAmount: 0n } }),
    error: 'InsufficientLiquidity',
    number: 6008,
  },
  {
    kind: 'pay',
    name: 'a used withdrawal cap',
    given: () =>
      alterReserve({
        config: { depositWithdrawalCap: { configCapacity: 1n, configIntervalLengthSeconds: 1_000_000n } },
      }),
    error: 'WithdrawalCapReached',
    number: 6064,
  },
  {
    kind: 'enqueue',
    name: 'a destination with a delegate',
    given: () => alterToken(tokensOf(owner), { delegate: other.address }),
    error: 'InvalidTokenAccountState',
    number: 6151,
  },
  {
    kind: 'enqueue',
    name: 'a frozen destination',
    given: () => alterToken(tokensOf(owner), { frozen: true }),
    error: 'InvalidTokenAccountState',
    number: 6151,
  },
  {
    kind: 'cancel',
    name: 'an account for collateral tokens with a delegate',
    given: () => alterToken(collateralOf(owner), { delegate: other.address }),
    error: 'InvalidTokenAccountState',
    number: 6151,
  },
  {
    kind: 'recover',
    name: 'an account for collateral tokens with a delegate',
    given: () => {
      alterTicket({ invalid: 1 });
      alterToken(collateralOf(owner), { delegate: other.address });
    },
    error: 'InvalidTokenAccountState',
    number: 6151,
  },
  {
    kind: 'cancel',
    name: 'an invalid ticket',
    given: () => alterTicket({ invalid: 1 }),
    error: 'WithdrawTicketInvalid',
    number: 6152,
  },
  {
    kind: 'cancel',
    name: 'an empty ticket',
    given: () => alterTicket({ queuedCollateralAmount: 0n }),
    error: 'WithdrawTicketFullyCancelled',
    number: 6171,
  },
  { kind: 'recover', name: 'a valid ticket', error: 'WithdrawTicketStillValid', number: 6147 },
];

it.each(CASES)('$kind with $name is $error', async ({ kind, given: change, input, error, number }) => {
  change?.();
  const asked = { ...inputOf(kind), ...input };
  const plan = await builds.build(kind, asked);
  expect(plan.__typename, plan.message).toBe('TransactionPlan');
  expect(refusedWith(plan)).toEqual({ code: number, name: error });
  expect(plan.simulation).toMatchObject({ success: false, error: { code: number, name: error } });
  const strict = await builds.build(kind, { ...asked, options: { strict: true } });
  expect(strict).toMatchObject({
    code: 'BUILD_REFUSED',
    message: expect.stringContaining(`${number} ${error}`),
  });
});

describe('what cannot be built', () => {
  it.each<[string, QueueKind, () => object, string, string]>([
    [
      'a ticket of somebody else',
      'cancel',
      () => ({ ticket: second }),
      'BUILD_REFUSED',
      '6005 InvalidSigner',
    ],
    [
      'a ticket that is not the first',
      'pay',
      () => ({ ticket: second }),
      'BUILD_REFUSED',
      '1 ticket is ahead of it',
    ],
    [
      'a ticket that is none',
      'pay',
      () => ({ ticket: reserve }),
      'KLEND_TICKET_NOT_FOUND',
      'no withdraw ticket',
    ],
    ['a ticket that is none', 'recover', () => ({ ticket: owner.address }), 'KLEND_TICKET_NOT_FOUND', ''],
    [
      'a reserve without a queue',
      'pay',
      () => ({ reserve: world.localnet.addresses.depositReserve }),
      'BUILD_REFUSED',
      'no ticket waits',
    ],
    [
      'an obligation that does not exist',
      'enqueue',
      () => ({ obligation: { tagged: { tag: 'VANILLA' } } }),
      'KLEND_OBLIGATION_NOT_FOUND',
      '',
    ],
    [
      'all of no collateral tokens',
      'enqueue',
      () => ({ reserve: world.localnet.addresses.depositReserve, amount: { all: 'ALL' } }),
      'BUILD_REFUSED',
      'holds no collateral tokens',
    ],
    ['nothing', 'enqueue', () => ({ amount: { tokens: '0' } }), 'AMOUNT_NOT_POSITIVE', ''],
    [
      'a ticket of another queue',
      'pay',
      () => ({ ticket: world.localnet.addresses.queuedTicket }),
      'BUILD_REFUSED',
      'is in the queue of reserve',
    ],
  ])('%s by %s', async (_, kind, input, code, message) => {
    const plan = await builds.build(kind, { ...inputOf(kind), ...input() });
    expect(plan).toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

describe('a payment', () => {
  it('into a closed account must be of the whole ticket', async () => {
    const state = ticketOf(world, reserve, 0n);
    expect(state?.owner).toBe(owner.address);
    keep(tokensOf(owner));
    const { chain } = world.localnet;
    const empty = {
      ...accountIn(chain, tokensOf(owner)),
      lamports: 0n,
      data: new Uint8Array(),
      owner: SYSTEM_PROGRAM,
    };
    chain.world.store.commit(new Map([[tokensOf(owner), empty]]));
    alterReserve({ liquidity: { totalAvailableAmount: 60n * USDC } });
    const byOther = await builds.build('pay', { ...inputOf('pay'), wallet: other.address });
    expect(refusedWith(byOther)).toEqual({ code: 6148, name: 'WithdrawTicketRequiresFullRedemption' });
    expect(byOther.simulation.error).toEqual({ code: 6148, name: 'WithdrawTicketRequiresFullRedemption' });
    // The owner opens the account at the own cost instead.
    const byOwner = await builds.build('pay', inputOf('pay'));
    expect(refusedWith(byOwner)).toBeNull();
    expect(byOwner.simulation.success, byOwner.simulation.logs.join('\n')).toBe(true);
  });

  it('of a ticket whose destination cannot be paid only marks it, and says so', async () => {
    alterToken(tokensOf(owner), { delegate: other.address });
    const plan = await builds.build('pay', inputOf('pay'));
    expect(plan.preview.warnings.map(({ code }) => code)).toEqual(['TICKET_UNPAYABLE']);
    expect(plan.preview.withdrawQueue).toMatchObject({ state: 'INVALID', paid: null });
    expect(plan.simulation.success).toBe(true);
  });
});

describe('an ordinary withdrawal without liquidity', () => {
  const messageOf = async (actor: PlanActor) => {
    const plan = await actor.build([actor.lending('Withdraw', reserve, '100')], { strict: false });
    const warnings = 'preview' in plan ? plan.preview.warnings : [];
    return warnings.filter(({ code }) => code === 'LIQUIDITY_TOO_LOW').map(({ message }) => message);
  };

  it('names the queue while the market has it on, and what waits in it', async () => {
    const funds = { [world.localnet.addresses.tokenMint]: 5_000n * USDC };
    const actor = new PlanActor(world, await world.newWallet(funds));
    await actor.act(actor.lending('Deposit', reserve, '1000'));
    expect(await messageOf(actor)).toEqual([]);
    alterReserve({ liquidity: { totalAvailableAmount: 60n * USDC } });
    expect(await messageOf(actor)).toEqual([expect.stringMatching(/buildEnqueueWithdraw.*after 2 others/)]);
    alterMarket({ withdrawTicketIssuanceEnabled: 0 });
    expect(await messageOf(actor)).toEqual([expect.not.stringContaining('buildEnqueueWithdraw')]);
  });
});
