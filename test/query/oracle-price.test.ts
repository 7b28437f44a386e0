import { reserve } from '@sluice/protocol/klend/reserve';
import { viewOf } from '@sluice/protocol/layout/account';
import { MAINNET_PROGRAMS, SCOPE_PROGRAM } from '@sluice/protocol/program-ids';
import { datedPrice, oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { accountIn, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';

/** Only the oracle account changes here: no reserve is refreshed, no obligation is touched. */

const { klend } = MAINNET_PROGRAMS;

/** Whole reads never happen again: prices come with the reserves. */
const ENV = { VAULT_REFRESH_MS: '3600000', DISCOVERY_INTERVAL_MS: '86400000' };

const localChain = new TestChain();
let gateway: TestApp;

beforeAll(async () => {
  gateway = await testApp({ chain: localChain, env: ENV });
});
afterAll(() => gateway?.stop());

const reserveAt = (address: Address) => reserve.decode(accountIn(localChain, address), klend);
const scopeOf = (address: Address) => reserveAt(address).config.tokenInfo.scopeConfiguration;
const chainOf = (address: Address) => scopeOf(address).priceChain;

/** The feed that gives the deposited token its own price. */
const feed = () => {
  const [first] = chainOf(localChain.addresses.depositReserve);
  if (first === undefined) throw new Error('no feed');
  return first;
};

/** Multiplies the feed by a percentage, and moves its time by some seconds. */
function moveFeed(percent: bigint, seconds = 0n): void {
  const address = scopeOf(localChain.addresses.depositReserve).priceFeed;
  const account = accountIn(localChain, address);
  const entry = oraclePrices.decode(account, SCOPE_PROGRAM).prices[feed()];
  if (entry === undefined) throw new Error('no entry');
  const data = account.data.slice();
  datedPrice.write(viewOf(data), oraclePrices.offsetOf('prices') + feed() * datedPrice.size, {
    price: { value: (entry.price.value * percent) / 100n },
    unixTimestamp: entry.unixTimestamp + seconds,
  });
  localChain.place(address, { ...account, data });
}

interface Amount {
  readonly usd: string;
}
interface Loan {
  readonly healthFactor: string;
  readonly liquidatable: boolean;
  readonly deposits: readonly { reserveAddress: Address; liquidationLtv: string; amount: Amount }[];
  readonly borrows: readonly { reserveAddress: Address; borrowFactor: string; amount: Amount }[];
  readonly stats: { readonly borrowLimitUsd: string };
}
interface PriceAnswer {
  readonly usd: string;
  readonly source: string;
  readonly stale: boolean;
  readonly failedChecks: readonly string[] | null;
}
interface State {
  readonly obligation: Loan;
  readonly reserve: { readonly price: PriceAnswer; readonly storedPrice: PriceAnswer };
}

async function state(): Promise<State> {
  const { obligation, depositReserve } = localChain.addresses;
  const price = '{ usd source stale failedChecks }';
  const { data, errors } = await gateway.query<State>(
    `query ($obligation: Address!, $reserve: Address!) {
      obligation(address: $obligation) { healthFactor liquidatable stats { borrowLimitUsd }
        deposits { reserveAddress liquidationLtv amount { usd } }
        borrows { reserveAddress borrowFactor amount { usd } } }
      reserve(address: $reserve) { price ${price} storedPrice ${price} } }`,
    { variables: { obligation, reserve: depositReserve } },
  );
  expect(errors).toEqual([]);
  return data;
}

/** The state at the first View that has read the oracle again. */
async function stateAfter(change: () => void): Promise<State> {
  change();
  const { priceFeed } = scopeOf(localChain.addresses.depositReserve);
  const { data } = accountIn(localChain, priceFeed);
  await gateway.view(
    (view) => Buffer.compare(view.get('oracle', priceFeed)?.data ?? Buffer.of(), data) === 0,
  );
  return await state();
}

/** Health by the program's definition, from values before the move. */
function healthAfterMove({ deposits, borrows }: Loan, factor: number): number {
  const scale = (address: Address) => (chainOf(address).includes(feed()) ? factor : 1);
  const limit = deposits.map(
    (each) => Number(each.amount.usd) * Number(each.liquidationLtv) * scale(each.reserveAddress),
  );
  const debt = borrows.map(
    (each) => Number(each.amount.usd) * Number(each.borrowFactor) * scale(each.reserveAddress),
  );
  const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
  return sum(limit) / sum(debt);
}

const BORROW = `mutation ($input: LendingActionInput!) { result: buildLendingBorrow(input: $input) {
  __typename
  ... on BuildRefused { code message }
  ... on TransactionPlan { preview { healthFactor { before after } borrowLimitUsd { before } } warnings { level code } }
} }`;

interface BorrowResult {
  readonly __typename: string;
  readonly message?: string;
  readonly preview?: { healthFactor: { before: string; after: string }; borrowLimitUsd: { before: string } };
  readonly warnings?: readonly { level: string; code: string }[];
}

async function borrow(strict: boolean): Promise<BorrowResult> {
  const { wallet, market, borrowReserve } = localChain.addresses;
  const input = { wallet, market, reserve: borrowReserve, amount: { tokens: '1' }, options: { strict } };
  const { data, errors } = await gateway.query<{ result: BorrowResult }>(BORROW, { variables: { input } });
  expect(errors).toEqual([]);
  return data.result;
}

describe('after the oracle has moved', () => {
  let before: State;
  beforeEach(async () => {
    before = await stateAfter(() => localChain.restore());
  });
  afterEach(() => localChain.restore());

  it('the reserve has the new price, and says what the program stores', async () => {
    expect(before.reserve.price).toMatchObject({ source: 'SCOPE', stale: false, failedChecks: [] });
    const after = await stateAfter(() => moveFeed(80n));
    expect(Number(after.reserve.price.usd)).toBeCloseTo(Number(before.reserve.price.usd) * 0.8, 6);
    expect(after.reserve.price).toMatchObject({ source: 'SCOPE', stale: false, failedChecks: [] });
    expect(after.reserve.storedPrice).toEqual(before.reserve.storedPrice);
    expect(after.reserve.storedPrice.source).toBe('RESERVE');
  });

  it('health, limits and previews follow', async () => {
    const after = await stateAfter(() => moveFeed(80n));
    const expected = healthAfterMove(before.obligation, 0.8);
    expect(Number(after.obligation.healthFactor)).toBeCloseTo(expected, 9);
    expect(expected).not.toBeCloseTo(Number(before.obligation.healthFactor), 1);
    const { preview, warnings } = await borrow(false);
    expect(Number(preview?.healthFactor.before)).toBeCloseTo(expected, 9);
    expect(Number(preview?.borrowLimitUsd.before)).toBeCloseTo(
      Number(after.obligation.stats.borrowLimitUsd),
      6,
    );
    expect(warnings?.filter(({ code }) => code.startsWith('PRICE'))).toEqual([]);
  });

  it('a fall that makes the loan liquidatable says so, and strict refuses to borrow', async () => {
    expect(before.obligation.liquidatable).toBe(false);
    expect((await borrow(true)).__typename).toBe('TransactionPlan');
    let percent = 99n;
    while (percent > 1n && healthAfterMove(before.obligation, Number(percent) / 100) > 0.98) percent -= 1n;
    const after = await stateAfter(() => moveFeed(percent));
    expect(after.obligation.liquidatable).toBe(true);
    const refused = await borrow(true);
    expect(refused.__typename).toBe('BuildRefused');
    expect(refused.message).toContain('COLLATERAL_TOO_LOW');
  });

  it('REST follows too', async () => {
    const { market, wallet } = localChain.addresses;
    const path = `/svc-market/${market}/users/${wallet}/obligations`;
    const after = await stateAfter(() => moveFeed(80n));
    const response = await gateway.get(path);
    const items = (await response.json()) as {
      obligationAddress: Address;
      refreshedStats: { borrowLimit: string };
    }[];
    const item = items.find(({ obligationAddress }) => obligationAddress === localChain.addresses.obligation);
    expect(item?.refreshedStats.borrowLimit).toBe(after.obligation.stats.borrowLimitUsd);
  });

  it('a price that is too old is refused for borrowing, and still decides the values', async () => {
    const after = await stateAfter(() => moveFeed(80n, -3_600n));
    expect(after.reserve.price).toMatchObject({ source: 'SCOPE', stale: true, failedChecks: ['AGE'] });
    expect(Number(after.obligation.healthFactor)).toBeCloseTo(healthAfterMove(before.obligation, 0.8), 9);
    expect((await borrow(false)).warnings).toContainEqual({ level: 'ERROR', code: 'PRICE_REFUSED' });
    const refused = await borrow(true);
    expect(refused).toMatchObject({ __typename: 'BuildRefused' });
    expect(refused.message).toContain('PRICE_REFUSED');
  });
});
