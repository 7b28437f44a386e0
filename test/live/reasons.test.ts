import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Obligation, Reserve } from '../../src/demo/world/model.ts';
import type { World } from '../../src/demo/world/world.ts';
import { type LiveWorld, startLiveWorld } from '../support/apps/live-app.ts';
import { EventStream } from '../support/http/event-stream.ts';
import { TestLedger } from '../support/ledger/test-ledger.ts';

interface Told {
  readonly slot: string;
  readonly reason: string;
  readonly address: Address;
}

const STEPS = 8;
const SLOTS_PER_STEP = 5;
const SOME = 30;

let live: LiveWorld;
beforeAll(async () => {
  live = await startLiveWorld();
});
afterAll(() => live?.stop());

/** What only acts change in a reserve, by the world's own books. */
const books = ({ liquidityVault, collateralMint, borrowedOutsideGroups, borrowedInGroups }: Reserve) =>
  [liquidityVault.amount, collateralMint.supply, borrowedOutsideGroups, ...borrowedInGroups].join();

const ORDER = ['INITIAL', 'ACCOUNT', 'PRICE', 'ACCRUAL'];

/**
 * Why each thing has changed, when all have been told of at the slot that the world stands at. A look at the View before
 * may have met the account as it is now: then its event has that View's slot, and its reason counts with the others.
 */
async function eventsOf(
  stream: EventStream<Record<string, Told>>,
  field: string,
  expected: number,
): Promise<Map<Address, string>> {
  const reasons = new Map<Address, string>();
  const here = new Set<Address>();
  while (here.size < expected) {
    const { data, errors } = await stream.told();
    expect(errors).toBeUndefined();
    const told = data?.[field];
    if (told === undefined) throw new Error(`no ${field} in the event`);
    if (told.slot === String(live.ledger.slot)) here.add(told.address);
    const known = reasons.get(told.address) ?? 'ACCRUAL';
    reasons.set(told.address, ORDER.indexOf(told.reason) < ORDER.indexOf(known) ? told.reason : known);
  }
  return reasons;
}

/** The same world, so many steps ahead: it tells who is going to act. */
function future(): World {
  const ahead = new TestLedger();
  ahead.advance(Number(live.ledger.slot - ahead.slot) + STEPS * SLOTS_PER_STEP);
  return ahead.demo.world;
}

describe('the reason of an event', () => {
  it('is what happened to the reserve, by the books of the world', async () => {
    const reserves = live.ledger.demo.world.reserves.filter(({ borrowedSf }) => borrowedSf > 0n);
    const stream = await EventStream.open<Record<string, Told>>(
      live.site.origin,
      'subscription ($all: [Address!]!) { reserves(addresses: $all) { slot reason address } }',
      { variables: { all: reserves.map(({ address }) => address) } },
    );
    await eventsOf(stream, 'reserves', reserves.length);
    const seen = new Map<string, number>();
    for (let step = 0; step < STEPS; step += 1) {
      const before = reserves.map((reserve) => ({ books: books(reserve), price: reserve.priceSf }));
      await live.advance(SLOTS_PER_STEP);
      const truth = reserves.map((reserve, i) => {
        const then = before[i];
        const acted = books(reserve) !== then?.books;
        const reason = acted ? 'ACCOUNT' : reserve.priceSf === then?.price ? 'ACCRUAL' : 'PRICE';
        seen.set(reason, (seen.get(reason) ?? 0) + 1);
        return [reserve.address, reason] as const;
      });
      expect(await eventsOf(stream, 'reserves', reserves.length)).toEqual(new Map(truth));
    }
    stream.close();
    expect([...seen.keys()].sort()).toEqual(['ACCOUNT', 'ACCRUAL', 'PRICE']);
  });

  it('is what happened to the obligation: an act of its own, or its reserves moved', async () => {
    const { world } = live.ledger.demo;
    const hasDebt = (obligation: Obligation) =>
      obligation.borrows.some((debt) => (debt?.amountSf ?? 0n) > 0n);
    const acts = ({ address }: Obligation, of: World = world) => of.journal.of(address).length;
    const ahead = future();
    const indebted = world.obligations.filter((each) => each.exists && hasDebt(each));
    const going = indebted.filter((each) => acts(each, ahead) > acts(each));
    const obligations = [...new Set([...going, ...indebted])].slice(0, SOME);
    const stream = await EventStream.open<Record<string, Told>>(
      live.site.origin,
      'subscription ($all: [Address!]!) { obligations(addresses: $all) { slot reason address } }',
      { variables: { all: obligations.map(({ address }) => address) } },
    );
    await eventsOf(stream, 'obligations', obligations.length);
    const seen = new Map<string, number>();
    const prices = ({ deposits, borrows }: Obligation) =>
      [...deposits, ...borrows].map((position) => position?.reserve.priceSf).join();
    for (let step = 0; step < STEPS; step += 1) {
      const before = obligations.map((each) => ({ acts: acts(each), prices: prices(each) }));
      await live.advance(SLOTS_PER_STEP);
      const truth = obligations.map((each, i) => {
        const acted = acts(each) !== before[i]?.acts;
        const reason = acted ? 'ACCOUNT' : prices(each) === before[i]?.prices ? 'ACCRUAL' : 'PRICE';
        seen.set(reason, (seen.get(reason) ?? 0) + 1);
        return [each.address, reason] as const;
      });
      expect(await eventsOf(stream, 'obligations', obligations.length)).toEqual(new Map(truth));
    }
    stream.close();
    expect(seen.get('ACCOUNT') ?? 0).toBeGreaterThan(0);
    expect(seen.get('PRICE') ?? 0).toBeGreaterThan(0);
  });

  it('is ACCOUNT when and only when the wallet has acted, and its numbers are then the new ones', async () => {
    const { world } = live.ledger.demo;
    const acts = ({ address }: { address: Address }, of: World = world) => of.journal.of(address).length;
    const ahead = future();
    const wallet = world.wallets.find(
      (each) => acts(each, ahead) > acts(each) && each.vaults.length > 0 && !each.reserved,
    );
    if (wallet === undefined) throw new Error('nobody is going to act');
    const stream = await EventStream.open<{ wallet: WalletTold }>(
      live.site.origin,
      'subscription ($w: Address!) { wallet(address: $w) { slot reason wallet { balances { baseUnits token { mint } } } } }',
      { variables: { w: wallet.address } },
    );
    await stream.told();
    let told = 0;
    for (let step = 0; step < STEPS; step += 1) {
      const before = acts(wallet);
      await live.advance(SLOTS_PER_STEP);
      const reasons: (string | undefined)[] = [];
      const event = await stream.until(({ data }) => {
        reasons.push(data?.wallet.reason);
        return data?.wallet.slot === String(live.ledger.slot);
      });
      expect(reasons.includes('ACCOUNT')).toBe(acts(wallet) !== before);
      if (!reasons.includes('ACCOUNT')) continue;
      told += 1;
      const balances = new Map(
        event.data?.wallet.wallet.balances.map(({ baseUnits, token }) => [token.mint, baseUnits]),
      );
      for (const [mint, { amount }] of wallet.holdings) {
        if (amount > 0n && mint !== SOL) expect(balances.get(mint)).toBe(String(amount));
      }
    }
    stream.close();
    expect(told).toBeGreaterThan(0);
  });
});

interface WalletTold extends Told {
  readonly wallet: {
    readonly balances: readonly { readonly baseUnits: string; readonly token: { readonly mint: Address } }[];
  };
}

const SOL = 'So11111111111111111111111111111111111111112' as Address;
