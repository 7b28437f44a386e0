import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { obligation } from '@sluice/protocol/klend/obligation';
import { plainStruct } from '@sluice/protocol/layout/plain';
import type { StructInput } from '@sluice/protocol/layout/struct';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import { type ChangingContractWorld, startChangingContractWorld } from '../support/contract/contract-app.ts';
import { accountVectors } from '../support/vectors/account-vectors.ts';
import { known } from '../support/vectors/former-padding.ts';

const { klend } = MAINNET_PROGRAMS;
const UNKNOWN_TAG = 9;

const ORDER = {
  remainingDebtAmount: 400n,
  minDebtTermSeconds: 86_400n,
  fillableUntilTimestamp: 18_446_744_073_709_551_615n,
  placedAtTimestamp: 1_780_000_000n,
  lastUpdatedAtTimestamp: 1_780_000_100n,
  requestedDebtAmount: 1_000n,
  maxBorrowRateBps: 650,
  active: 1,
  enableAutoRolloverOnFilledBorrows: 1,
};

let world: ChangingContractWorld;
let odd: Address;
beforeAll(async () => {
  world = await startChangingContractWorld({}, (localChain) => {
    const found = localChain.worldChain.world.obligations.findLast(({ exists }) => exists);
    if (found === undefined) throw new Error('the world has no obligations');
    odd = found.address;
    const changes = {
      tag: BigInt(UNKNOWN_TAG),
      headBorrowOrder: { ...ORDER, debtLiquidityMint: localChain.addresses.tokenMint },
    };
    localChain.place(odd, withFields(obligation, accountIn(localChain, odd), changes));
  });
});
afterAll(() => world?.stop());

async function read<T>(url: string): Promise<T> {
  const { status, body, text } = await world.get(url);
  if (status !== 200) throw new Error(`${url}: ${status} ${text}`);
  return body as T;
}

const bytesOf = (address: string) => Buffer.from(accountIn(world.localChain, address as Address).data);

interface Position {
  readonly reserve: string;
  readonly amount: string;
  readonly marketValueRefreshed: string;
}

interface UserObligation {
  readonly obligationAddress: string;
  readonly market: { readonly address: string; readonly state: unknown };
  readonly borrowOrder: Readonly<Record<string, unknown>>;
  readonly state: Readonly<Record<string, unknown>>;
  readonly positions: { readonly deposits: readonly Position[]; readonly borrows: readonly Position[] };
  readonly refreshedStats: Readonly<Record<string, string>>;
  readonly obligationTag: number;
  readonly humanTag: string;
}

const obligationsOf = (market: string, owner: string) =>
  read<UserObligation[]>(`/svc-market/${market}/users/${owner}/obligations`);

/** JSON back into what a layout writes: the zeros of the layout say which type a value has. */
function rebuilt(plain: unknown, like: unknown): unknown {
  if (typeof like === 'bigint') return BigInt(plain as string);
  if (like instanceof Uint8Array) return Uint8Array.from(plain as number[]);
  if (Array.isArray(like)) return (plain as unknown[]).map((item, i) => rebuilt(item, like[i]));
  if (typeof like !== 'object' || like === null) return plain;
  const fields: Record<string, unknown> = {};
  for (const name in like) {
    const part = (like as Record<string, unknown>)[name];
    fields[name] = rebuilt((plain as Record<string, unknown>)[name], part);
  }
  return fields;
}

function encoded(state: unknown): Buffer {
  const zeros = obligation.body.read(new DataView(new ArrayBuffer(obligation.body.size)), 0);
  return Buffer.from(obligation.encode(rebuilt(state, zeros) as StructInput<typeof obligation.body.fields>));
}

function encodedMarket(state: unknown): Buffer {
  const { body } = lendingMarket;
  const zeros = body.read(new DataView(new ArrayBuffer(body.size)), 0);
  return Buffer.from(lendingMarket.encode(rebuilt(state, zeros) as StructInput<typeof body.fields>));
}

/** As the SDK's vectors are written: numbers as text, lists of bytes in hexadecimal. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) {
    const bytes = value.every((item) => typeof item === 'number');
    return bytes ? Buffer.from(value).toString('hex') : value.map(asTexts);
  }
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, asTexts(item)]));
}

describe('the decoded state', () => {
  it.each(accountVectors('klend-obligation').cases.map((each) => [each.name, each] as const))(
    'has the names and values of the official SDK: %s',
    (_, { data, fields }) => {
      const state = plainStruct(obligation.decode({ owner: klend, data }, klend));
      expect(asTexts(known('klend-obligation', state))).toEqual(asTexts(known('klend-obligation', fields)));
      expect(encoded(JSON.parse(JSON.stringify(state))).equals(data)).toBe(true);
    },
  );

  it('encodes back to the account without loss', async () => {
    for (const { market, owner } of world.subjects.obligations) {
      for (const { obligationAddress, state, market: shown } of await obligationsOf(market, owner)) {
        expect(encoded(state).equals(bytesOf(obligationAddress))).toBe(true);
        expect(encodedMarket(shown.state).equals(bytesOf(market))).toBe(true);
      }
    }
  });
});

describe('obligations of a user', () => {
  it('have totals that are the sums of their positions', async () => {
    for (const { market, owner } of world.subjects.obligations) {
      for (const { positions, refreshedStats: stats } of await obligationsOf(market, owner)) {
        const { deposits, borrows } = positions;
        const total = (held: readonly Position[]) =>
          held.reduce((sum, { marketValueRefreshed }) => sum + Number(marketValueRefreshed), 0);
        expect(Number(stats.userTotalDeposit)).toBeCloseTo(total(deposits), 6);
        expect(Number(stats.userTotalBorrow)).toBeCloseTo(total(borrows), 6);
        expect(Number(stats.netAccountValue)).toBeCloseTo(total(deposits) - total(borrows), 6);
      }
    }
  });

  it('show an unknown purpose as its number', async () => {
    const { owner, lendingMarket: at } = obligation.decode({ owner: klend, data: bytesOf(odd) }, klend);
    const found = (await obligationsOf(at, owner)).find((each) => each.obligationAddress === odd);
    expect(found).toMatchObject({ obligationTag: UNKNOWN_TAG, humanTag: String(UNKNOWN_TAG) });
  });

  it('name their market and their borrow order, in both APIs', async () => {
    let without = 0;
    for (const { market, owner } of world.subjects.obligations) {
      for (const each of await obligationsOf(market, owner)) {
        expect(each.market.address).toBe(market);
        if (each.obligationAddress !== odd) without += Number(each.borrowOrder.remainingDebtAmount === '00');
      }
    }
    expect(without).toBeGreaterThan(5);
    const { owner, lendingMarket: at } = obligation.decode({ owner: klend, data: bytesOf(odd) }, klend);
    const found = (await obligationsOf(at, owner)).find((each) => each.obligationAddress === odd);
    expect(found?.borrowOrder).toEqual({
      debtLiquidityMint: world.subjects.addresses.tokenMint,
      remainingDebtAmount: '400',
      filledDebtDestination: '11111111111111111111111111111111',
      minDebtTermSeconds: '86400',
      fillableUntilTimestamp: '18446744073709551615',
      placedAtTimestamp: '1780000000',
      lastUpdatedAtTimestamp: '1780000100',
      requestedDebtAmount: '1000',
      maxBorrowRateBps: 650,
      enableAutoRolloverOnFilledBorrows: true,
    });
    const { data } = await world.gateway.query(
      `{ obligation(address: "${odd}") { borrowOrder { debtMint requestedAmount remainingAmount destination
        maxBorrowRateBps minTermSeconds fillableUntil placedAt updatedAt active autoRollover } } }`,
    );
    expect(data).toEqual({
      obligation: {
        borrowOrder: {
          debtMint: world.subjects.addresses.tokenMint,
          requestedAmount: '1000',
          remainingAmount: '400',
          destination: '11111111111111111111111111111111',
          maxBorrowRateBps: '650',
          minTermSeconds: '86400',
          fillableUntil: '18446744073709551615',
          placedAt: '1780000000',
          updatedAt: '1780000100',
          active: true,
          autoRollover: true,
        },
      },
    });
  });

  it('are empty for a wallet without positions, and an error for an unknown market', async () => {
    const { market, wallet, emptyWallet } = world.subjects.addresses;
    expect(await obligationsOf(market, emptyWallet)).toEqual([]);
    const refused = await world.get(`/svc-market/${wallet}/users/${wallet}/obligations`);
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: `There is no lending market at ${wallet}. Check the address.` },
    ]);
  });
});

interface Loan {
  readonly solanaSlot: number;
  readonly leverage: number;
  readonly loanInfo: {
    readonly collateral: { readonly deposits: readonly Token[] };
    readonly debt: { readonly borrows: readonly Token[] };
    readonly currentLtv: number;
    readonly maxLtv: number;
    readonly liquidationLtv: number;
    readonly closeFactor: number;
  };
}

type Token = Readonly<Record<'tokenAmount' | 'tokenValue', string>> & {
  readonly tokenPrice: number;
  readonly maxWithdrawableAmount?: number;
};

describe('loans', () => {
  it('value each token at its price, to double precision', async () => {
    for (const { address } of world.subjects.obligations) {
      const { loanInfo } = await read<Loan>(`/klend/loans/${address}`);
      for (const token of [...loanInfo.collateral.deposits, ...loanInfo.debt.borrows]) {
        const value = Number(token.tokenAmount) * token.tokenPrice;
        expect(Math.abs(Number(token.tokenValue) - value)).toBeLessThanOrEqual(1e-12 * value);
        expect(token.maxWithdrawableAmount ?? 0).toBeLessThanOrEqual(Number(token.tokenAmount));
      }
      expect(loanInfo.closeFactor).toBeGreaterThan(0);
      expect(loanInfo.closeFactor).toBeLessThanOrEqual(1);
      expect(loanInfo.maxLtv).toBeLessThanOrEqual(loanInfo.liquidationLtv);
    }
  });

  it('are valued at the slot of the View', async () => {
    const answer = await world.get(`/klend/loans/${world.subjects.addresses.obligation}`);
    expect((answer.body as Loan).solanaSlot).toBe(Number(answer.headers.get('x-slot')));
  });

  it('are returned without debt, and when empty', async () => {
    const { obligations } = world.localChain.worldChain.world;
    const having = (deposit: boolean) =>
      obligations.find(
        ({ exists, deposits, borrows }) =>
          exists &&
          borrows.every((each) => each === null) &&
          deposits.some((each) => each !== null) === deposit,
      );
    for (const deposit of [true, false]) {
      const loan = await read<Loan>(`/klend/loans/${having(deposit)?.address}`);
      expect(loan.loanInfo.debt.borrows).toEqual([]);
      expect(loan.loanInfo.collateral.deposits.length > 0).toBe(deposit);
      expect([loan.leverage, loan.loanInfo.currentLtv]).toEqual([deposit ? 1 : 0, 0]);
    }
  });

  it('are not found at an unused address and at another kind of account', async () => {
    const { emptyWallet, wallet, market } = world.subjects.addresses;
    for (const address of [emptyWallet, wallet, market]) {
      const { status, body } = await world.get(`/klend/loans/${address}`);
      expect([status, Object.keys(body as object)]).toEqual([404, ['metadata']]);
    }
  });
});
