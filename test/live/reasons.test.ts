import type { Obligation, Reserve, Token } from '@sluice/localnet/world/model';
import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { SCOPE_PROGRAM } from '@sluice/protocol/program-ids';
import { oraclePrices } from '@sluice/protocol/scope/oracle-prices';
import { decodeTokenAccount } from '@sluice/protocol/token/token-account';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, TestChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type LiveApp, testApp } from '../support/apps/chain-app.ts';
import { EventStream } from '../support/http/event-stream.ts';

interface EventFields {
  readonly slot: string;
  readonly reason: string;
  readonly address: Address;
}

const STEPS = 8;
const SLOTS_PER_STEP = 5;
const SOME = 30;

let live: LiveApp;
beforeAll(async () => {
  live = await testApp({ live: true });
});
afterAll(() => live?.stop());

/** The amounts of a reserve that only actions change. */
function amounts({ address }: Reserve): string {
  const account = accountIn(live.localChain, address);
  const { liquidity, collateral } = reserveLayout.decode(account, account.owner);
  const held = liquidity.totalAvailableAmount + liquidity.rewardsAmountAvailable;
  return [held, collateral.mintTotalSupply].join();
}

/** Number of transactions that have named the account. */
const acts = ({ address }: { address: Address }, of: TestChain = live.localChain) =>
  of.transactionsOf(address).length;

/** The entries of the oracle account that are multiplied to the price of a reserve's token. */
function feedValues({ token }: Reserve): string {
  const { world } = live.localChain.worldChain;
  const { prices } = oraclePrices.decode(accountIn(live.localChain, world.oracle.address), SCOPE_PROGRAM);
  const values: (bigint | undefined)[] = [];
  for (let part: Token | null = token; part !== null; part = part.base)
    values.push(prices[part.feed.index]?.price.value);
  return values.join();
}

const ORDER = ['INITIAL', 'ACCOUNT', 'PRICE', 'ACCRUAL'];

/**
 * The reason of each item's change, once all have an event at the present slot. An account may already have changed when
 * the previous View was checked: its event then has that slot, and the strongest reason counts.
 */
async function reasonsOf(
  stream: EventStream<Record<string, EventFields>>,
  field: string,
  expected: number,
): Promise<Map<Address, string>> {
  const reasons = new Map<Address, string>();
  const current = new Set<Address>();
  while (current.size < expected) {
    const { data, errors } = await stream.nextData();
    expect(errors).toBeUndefined();
    const event = data?.[field];
    if (event === undefined) throw new Error(`no ${field} in the event`);
    if (event.slot === String(live.localChain.slot)) current.add(event.address);
    const known = reasons.get(event.address) ?? 'ACCRUAL';
    reasons.set(event.address, ORDER.indexOf(event.reason) < ORDER.indexOf(known) ? event.reason : known);
  }
  return reasons;
}

/** The same chain at the end of the test: shows which wallets are going to act. */
function futureChain(): TestChain {
  const ahead = new TestChain();
  ahead.advance(Number(live.localChain.slot - ahead.slot) + STEPS * SLOTS_PER_STEP);
  return ahead;
}

describe('the reason of an event', () => {
  it('follows from the change of the reserve in the world', async () => {
    const reserves = live.localChain.worldChain.world.reserves.filter(({ borrowedSf }) => borrowedSf > 0n);
    const stream = await EventStream.open<Record<string, EventFields>>(
      live.site.origin,
      'subscription ($all: [Address!]!) { reserves(addresses: $all) { slot reason address } }',
      { variables: { all: reserves.map(({ address }) => address) } },
    );
    await reasonsOf(stream, 'reserves', reserves.length);
    const seen = new Map<string, number>();
    for (let step = 0; step < STEPS; step += 1) {
      const before = reserves.map((reserve) => ({ amounts: amounts(reserve), price: feedValues(reserve) }));
      await live.advance(SLOTS_PER_STEP);
      const truth = reserves.map((reserve, i) => {
        const then = before[i];
        const acted = amounts(reserve) !== then?.amounts;
        const reason = acted ? 'ACCOUNT' : feedValues(reserve) === then?.price ? 'ACCRUAL' : 'PRICE';
        seen.set(reason, (seen.get(reason) ?? 0) + 1);
        return [reserve.address, reason] as const;
      });
      expect(await reasonsOf(stream, 'reserves', reserves.length)).toEqual(new Map(truth));
    }
    stream.close();
    expect([...seen.keys()].sort()).toEqual(['ACCOUNT', 'ACCRUAL', 'PRICE']);
  });

  it('is ACCOUNT for an action on the obligation, otherwise follows from its reserves', async () => {
    const { world } = live.localChain.worldChain;
    const hasDebt = (obligation: Obligation) =>
      obligation.borrows.some((debt) => (debt?.amountSf ?? 0n) > 0n);
    const ahead = futureChain();
    const indebted = world.obligations.filter((each) => each.exists && hasDebt(each));
    const acting = indebted.filter((each) => acts(each, ahead) > acts(each));
    const obligations = [...new Set([...acting, ...indebted])].slice(0, SOME);
    const stream = await EventStream.open<Record<string, EventFields>>(
      live.site.origin,
      'subscription ($all: [Address!]!) { obligations(addresses: $all) { slot reason address } }',
      { variables: { all: obligations.map(({ address }) => address) } },
    );
    await reasonsOf(stream, 'obligations', obligations.length);
    const seen = new Map<string, number>();
    const prices = ({ deposits, borrows }: Obligation) =>
      [...deposits, ...borrows].map((position) => position && feedValues(position.reserve)).join();
    for (let step = 0; step < STEPS; step += 1) {
      const before = obligations.map((each) => ({ acts: acts(each), prices: prices(each) }));
      await live.advance(SLOTS_PER_STEP);
      const truth = obligations.map((each, i) => {
        const acted = acts(each) !== before[i]?.acts;
        const reason = acted ? 'ACCOUNT' : prices(each) === before[i]?.prices ? 'ACCRUAL' : 'PRICE';
        seen.set(reason, (seen.get(reason) ?? 0) + 1);
        return [each.address, reason] as const;
      });
      expect(await reasonsOf(stream, 'obligations', obligations.length)).toEqual(new Map(truth));
    }
    stream.close();
    expect(seen.get('ACCOUNT') ?? 0).toBeGreaterThan(0);
    expect(seen.get('PRICE') ?? 0).toBeGreaterThan(0);
  });

  it('is ACCOUNT exactly when the wallet has acted, with its new balances', async () => {
    const { world } = live.localChain.worldChain;
    const ahead = futureChain();
    const wallet = world.wallets.find(
      (each) => acts(each, ahead) > acts(each) && each.vaults.length > 0 && !each.reserved,
    );
    if (wallet === undefined) throw new Error('no wallet is going to act');
    const stream = await EventStream.open<{ wallet: WalletEvent }>(
      live.site.origin,
      'subscription ($w: Address!) { wallet(address: $w) { slot reason wallet { balances { baseUnits token { mint } } } } }',
      { variables: { w: wallet.address } },
    );
    await stream.nextData();
    let changes = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const before = acts(wallet);
      await live.advance(SLOTS_PER_STEP);
      const reasons: (string | undefined)[] = [];
      const event = await stream.until(({ data }) => {
        reasons.push(data?.wallet.reason);
        return data?.wallet.slot === String(live.localChain.slot);
      });
      expect(reasons.includes('ACCOUNT')).toBe(acts(wallet) !== before);
      if (!reasons.includes('ACCOUNT')) continue;
      changes += 1;
      const balances = new Map(
        event.data?.wallet.wallet.balances.map(({ baseUnits, token }) => [token.mint, baseUnits]),
      );
      for (const [mint, { address }] of wallet.holdings) {
        const { amount } = decodeTokenAccount(accountIn(live.localChain, address));
        if (amount > 0n && mint !== SOL) expect(balances.get(mint)).toBe(String(amount));
      }
    }
    stream.close();
    expect(changes).toBeGreaterThan(0);
  });
});

interface WalletEvent extends EventFields {
  readonly wallet: {
    readonly balances: readonly { readonly baseUnits: string; readonly token: { readonly mint: Address } }[];
  };
}

const SOL = 'So11111111111111111111111111111111111111112' as Address;
