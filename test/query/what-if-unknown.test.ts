import { reserve } from '@sluice/protocol/klend/reserve';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountIn, TestChain, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';

/** A price that nobody knows: figures that need it are null with the reason, never zero. */

const { klend } = MAINNET_PROGRAMS;

const localChain = new TestChain();
let gateway: TestApp;

const reserveAt = (address: Address) => reserve.decode(accountIn(localChain, address), klend);

/** Takes the price of a reserve away: no oracle, and none stored. */
function forget(address: Address): void {
  const fields = {
    liquidity: { marketPriceSf: 0n },
    config: { tokenInfo: { scopeConfiguration: { priceFeed: NO_ADDRESS } } },
  };
  localChain.place(address, withFields(reserve, accountIn(localChain, address), fields));
}

const FIGURES = [
  'depositedUsd',
  'borrowedUsd',
  'netValueUsd',
  'badDebtUsd',
  'healthFactor',
  'loanToValue',
  'liquidationLtv',
  'liquidatable',
] as const;
const NOTHING = Object.fromEntries(FIGURES.map((figure) => [figure, null]));

type Supposed = Readonly<Record<(typeof FIGURES)[number], string | null>> & {
  readonly unknown: string | null;
  readonly unknownReserveAddress: Address | null;
  readonly liquidation: object | null;
  readonly deposits: readonly Position[];
  readonly borrows: readonly Position[];
};
interface Position {
  readonly reserveAddress: Address;
  readonly priceUsd: string | null;
  readonly amount: { readonly amount: string; readonly usd: string | null };
}

async function loan(prices: readonly object[] = []): Promise<Supposed> {
  const positions = '{ reserveAddress priceUsd amount { amount usd } }';
  const { data, errors } = await gateway.query<{ obligation: { whatIf: Supposed } }>(
    `query ($obligation: Address!, $prices: [PriceShock!]) { obligation(address: $obligation) {
      whatIf(prices: $prices) { ${FIGURES.join(' ')} unknown unknownReserveAddress liquidation { bonus }
        deposits ${positions} borrows ${positions} } } }`,
    { variables: { obligation: localChain.addresses.obligation, prices } },
  );
  expect(errors).toEqual([]);
  return data.obligation.whatIf;
}

describe.each(['depositReserve', 'borrowReserve'] as const)('the price of the %s', (which) => {
  let address: Address;
  let mint: Address;

  beforeAll(async () => {
    localChain.restore();
    address = localChain.addresses[which];
    mint = reserveAt(address).liquidity.mintPubkey;
    forget(address);
    gateway = await testApp({ chain: localChain, frozen: true });
  });
  afterAll(() => gateway?.stop());

  it('leaves every figure of the obligation that needs it unknown, with the reserve', async () => {
    const supposed = await loan();
    expect(supposed).toMatchObject({
      ...NOTHING,
      liquidation: null,
      unknown: 'PRICE_UNKNOWN',
      unknownReserveAddress: address,
    });
    // Amounts need no price.
    const positions = [...supposed.deposits, ...supposed.borrows];
    for (const { reserveAddress, priceUsd, amount } of positions) {
      expect(Number(amount.amount)).toBeGreaterThan(0);
      if (reserveAddress === address) expect([priceUsd, amount.usd]).toEqual([null, null]);
      else expect(Number(amount.usd)).toBeGreaterThan(0);
    }
  });

  it('stays unknown when it changes by a percentage, and is known when it is supposed', async () => {
    expect(await loan([{ mint, changePct: '-20' }])).toMatchObject({ ...NOTHING, unknown: 'PRICE_UNKNOWN' });
    const known = await loan([{ mint, usd: '150' }]);
    expect(known).toMatchObject({ unknown: null, unknownReserveAddress: null });
    for (const figure of ['depositedUsd', 'borrowedUsd', 'healthFactor', 'loanToValue'] as const) {
      expect(Number(known[figure])).toBeGreaterThan(0);
    }
    // A supposed price of zero is a price.
    const worthless = await loan([{ mint, usd: '0' }]);
    expect(worthless.unknown).toBeNull();
    expect(worthless.netValueUsd).not.toBeNull();
  });

  it('leaves the totals of the wallet unknown, but not those of its vaults', async () => {
    interface Totals {
      readonly depositedUsd: string | null;
      readonly borrowedUsd: string | null;
      readonly vaultsUsd: string | null;
      readonly netValueUsd: string | null;
    }
    const totals = '{ depositedUsd borrowedUsd vaultsUsd netValueUsd }';
    const { data, errors } = await gateway.query<{
      wallet: {
        whatIf: { before: Totals; after: Totals; badDebtUsd: string | null; obligations: Supposed[] };
      };
    }>(
      `query ($wallet: Address!) { wallet(address: $wallet) { whatIf {
        before ${totals} after ${totals} badDebtUsd obligations { unknown netValueUsd } } } }`,
      { variables: { wallet: localChain.addresses.wallet } },
    );
    expect(errors).toEqual([]);
    const { before, after, badDebtUsd, obligations } = data.wallet.whatIf;
    for (const { depositedUsd, borrowedUsd, netValueUsd } of [before, after]) {
      expect([depositedUsd, borrowedUsd, netValueUsd]).toEqual([null, null, null]);
    }
    expect(badDebtUsd).toBeNull();
    expect(obligations).toContainEqual({ unknown: 'PRICE_UNKNOWN', netValueUsd: null });
    const vaultMint = localChain.addresses.tokenMint;
    if (mint !== vaultMint) expect(Number(after.vaultsUsd)).toBeGreaterThan(0);
  });

  it('counts loans with it as not valued in the risk of the market', async () => {
    interface Risk {
      readonly now: {
        readonly loans: number;
        readonly unvalued: readonly { readonly reason: string; readonly loans: number }[];
        readonly liquidatable: { readonly loans: number };
      };
    }
    const { data, errors } = await gateway.query<{ market: { risk: Risk } }>(
      `query ($market: Address!) { market(address: $market) { risk(shocks: []) {
        now { loans unvalued { reason loans } liquidatable { loans } } } } }`,
      { variables: { market: localChain.addresses.market } },
    );
    expect(errors).toEqual([]);
    const { unvalued } = data.market.risk.now;
    expect(unvalued.map(({ reason }) => reason)).toEqual(['PRICE_UNKNOWN']);
    expect(unvalued[0]?.loans).toBeGreaterThan(0);
  });
});
