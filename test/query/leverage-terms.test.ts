import { referrerTokenStateAddress, userMetadataAddress } from '@sluice/protocol/klend/addresses';
import { obligation as obligationLayout } from '@sluice/protocol/klend/obligation';
import { referrerTokenState } from '@sluice/protocol/klend/referrer-token-state';
import { initUserMetadata } from '@sluice/protocol/klend/setup-instructions';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { MAINNET_PROGRAMS, NO_ADDRESS, RENT_SYSVAR, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { sendInstructions } from '../support/apps/system-transactions.ts';
import { expectPosition } from '../support/leverage/expect-position.ts';
import { sendSigned } from '../support/leverage/leverage-actor.ts';
import { LeverageDesk } from '../support/leverage/leverage-desk.ts';

/** Leveraged positions of a referred wallet, in an elevation group, and after a fall in price, on the localnet. */

const { klend } = MAINNET_PROGRAMS;

let world: ActingApp;
beforeAll(async () => {
  world = await startActingApp();
});
afterAll(() => world?.stop());

describe('a wallet with a referrer', () => {
  const pair = { collateral: 'mSOL', debt: 'USDC' } as const;
  let desk: LeverageDesk;
  let obligation: Address;
  let referrerState: Address;

  beforeAll(async () => {
    desk = await LeverageDesk.open(world, [['mSOL', 3_000_000_000n]], ['mSOL', 'USDC']);
    const referrer = await world.newWallet({});
    const register = (owner: Address, referrerUserMetadata: Address | null) =>
      initUserMetadata.encode(
        klend,
        {
          owner,
          feePayer: owner,
          userMetadata: userMetadataAddress(klend, owner).address,
          referrerUserMetadata,
          rent: RENT_SYSVAR,
          systemProgram: SYSTEM_PROGRAM,
        },
        { userLookupTable: NO_ADDRESS },
      );
    await sendInstructions(world, [register(referrer.address, null)], [referrer]);
    const referrerMetadata = userMetadataAddress(klend, referrer.address).address;
    await sendInstructions(world, [register(desk.wallet.address, referrerMetadata)], [desk.wallet]);
    const { address: debtReserve, mint: seed2 } = desk.of('USDC');
    obligation = desk.obligation({ tag: 1, id: 0, seed1: desk.of('mSOL').mint, seed2 });
    referrerState = referrerTokenStateAddress(klend, referrer.address, debtReserve).address;
  });

  it('opens a position, and the referrer gets its share of the origination fee', async () => {
    const acted = await desk.act('Multiply', pair, {
      deposit: { tokens: '1' },
      borrow: { tokens: '100' },
      swap: desk.swap(['USDC', 99_990_000n], ['mSOL', 400_000_000n]),
    });
    expectPosition(desk, pair, obligation, acted);
    const { after } = acted.landed;
    const state = referrerTokenState.decode(after.get(referrerState) ?? expect.fail('no state'), klend);
    // 15 % of the origination fee of 0.01 USDC, where 15 % is a binary fraction rounded down; nothing of the flash loan's.
    expect(state.amountUnclaimedSf).toBe(1_499n * FRACTION_ONE);
  });

  it('raises, lowers and closes it', async () => {
    const raised = await desk.act('Multiply', pair, {
      borrow: { tokens: '10' },
      swap: desk.swap(['USDC', 9_990_000n], ['mSOL', 40_000_000n]),
    });
    expectPosition(desk, pair, obligation, raised);
    const lowered = await desk.act('Deleverage', pair, {
      amount: { tokens: '30' },
      swap: desk.swap(['mSOL', 160_000_000n], ['USDC', 30_000_300n]),
    });
    expectPosition(desk, pair, obligation, lowered);
    const repaid = await desk.act('RepayWithCollateral', pair, {
      obligation: { address: obligation },
      amount: { tokens: '5' },
      swap: desk.swap(['mSOL', 30_000_000n], ['USDC', 5_000_050n]),
    });
    expectPosition(desk, pair, obligation, repaid);
    await desk.act('Deleverage', pair, {
      amount: { all: 'ALL' },
      swap: desk.swap(['mSOL', 400_000_000n], ['USDC', 80_000_000n]),
    });
    expect(world.localnet.chain.account(obligation)).toBeUndefined();
  });
});

describe('an obligation in an elevation group', () => {
  const pair = { collateral: 'jitoSOL', debt: 'SOL' } as const;
  const GROUP = 1;
  let desk: LeverageDesk;
  let obligation: Address;

  beforeAll(async () => {
    desk = await LeverageDesk.open(world, [['jitoSOL', 6_000_000_000n]], ['jitoSOL', 'SOL']);
    obligation = desk.obligation({
      tag: 1,
      id: 0,
      seed1: desk.of('jitoSOL').mint,
      seed2: desk.of('SOL').mint,
    });
  });

  const raise = () => ({
    borrow: { tokens: '15' },
    swap: desk.swap(['SOL', 14_990_000_000n], ['jitoSOL', 11_000_000_000n]),
  });

  it('borrows more than the reserve alone allows', async () => {
    await desk.act('Multiply', pair, {
      deposit: { tokens: '5' },
      borrow: { tokens: '1' },
      swap: desk.swap(['SOL', 999_000_000n], ['jitoSOL', 800_000_000n]),
    });
    const before = await desk.build('Multiply', pair, raise());
    expect(before.preview.warnings).toContainEqual(expect.objectContaining({ code: 'COLLATERAL_TOO_LOW' }));
    expect(before.simulation).toMatchObject({ success: false, error: { name: 'BorrowTooLarge' } });

    await joinGroup();
    const acted = await desk.act('Multiply', pair, raise());
    expectPosition(desk, pair, obligation, acted);
    const { after } = acted.landed;
    const account = obligationLayout.decode(after.get(obligation) ?? expect.fail('no obligation'), klend);
    expect(account.elevationGroup).toBe(GROUP);
  });

  it('is lowered and stays in the group', async () => {
    const lowered = await desk.act('Deleverage', pair, {
      amount: { tokens: '8' },
      swap: desk.swap(['jitoSOL', 7_900_000_000n], ['SOL', 8_000_080_001n]),
    });
    expectPosition(desk, pair, obligation, lowered);
    const repaid = await desk.act('RepayWithCollateral', pair, {
      obligation: { address: obligation },
      amount: { tokens: '1' },
      swap: desk.swap(['jitoSOL', 1_000_000_000n], ['SOL', 1_000_010_001n]),
    });
    expectPosition(desk, pair, obligation, repaid);
  });

  it('closes', async () => {
    const acted = await desk.act('Deleverage', pair, {
      amount: { all: 'ALL' },
      swap: desk.swap(['jitoSOL', 6_500_000_000n], ['SOL', 7_010_000_000n]),
    });
    expect(acted.changes).toEqual(
      acted.preview.worstCase.walletChanges.map(({ baseUnits }) => BigInt(baseUnits)),
    );
    expect(world.localnet.chain.account(obligation)).toBeUndefined();
  });

  async function joinGroup(): Promise<void> {
    const { data } = await world.gateway.query<{ plan: { transactions: { base64: string }[] } }>(
      `mutation ($input: RequestElevationGroupInput!) { plan: buildRequestElevationGroup(input: $input) {
        ... on TransactionPlan { transactions { base64 } } } }`,
      {
        variables: {
          input: {
            wallet: desk.wallet.address,
            market: world.localnet.addresses.market,
            obligation: { address: obligation },
            group: GROUP,
          },
        },
        headers: desk.headers,
      },
    );
    const landed = await sendSigned(world, data.plan.transactions[0]?.base64, desk.wallet);
    desk.headers = landed.headers;
  }
});

describe('a loan that a fall in price has brought above its maximum LTV', () => {
  const pair = { collateral: 'mSOL', debt: 'USDC' } as const;
  let desk: LeverageDesk;
  /** USD of a whole mSOL, after the fall. */
  let price: number;
  /** USDC that are owed. */
  let owed: number;
  const usdc = (tokens: number) => BigInt(Math.round(tokens * 1e6));
  const msol = (tokens: number) => BigInt(Math.round(tokens * 1e9));

  const priceOf = async (symbol: string) => {
    const { data } = await world.gateway.query<{ token: { price: { usd: string } } }>(
      `{ token(mint: "${desk.of(symbol).mint}") { price { usd } } }`,
      { headers: desk.headers },
    );
    return Number(data.token.price.usd);
  };

  /** Repays so many USDC out of collateral, at one percent below the price. */
  const lower = (tokens: number) => ({
    amount: { baseUnits: String(usdc(tokens)) },
    swap: desk.swap(['mSOL', msol((tokens / price) * 1.01)], ['USDC', usdc(tokens) + usdc(tokens) / 50_000n]),
  });

  beforeAll(async () => {
    desk = await LeverageDesk.open(world, [['mSOL', 3_000_000_000n]], ['mSOL', 'USDC']);
    const [before, sol] = [await priceOf('mSOL'), await priceOf('SOL')];
    // Two mSOL of its own and what the loan buys, at an LTV of 62 %: debt = 0.62 (2 price + 0.99 debt).
    owed = (1.24 * before) / (1 - 0.62 * 0.99);
    await desk.act('Multiply', pair, {
      deposit: { tokens: '2' },
      borrow: { baseUnits: String(usdc(owed)) },
      swap: desk.swap(['USDC', usdc(owed) - usdc(owed) / 50_000n], ['mSOL', msol((owed * 0.99) / before)]),
    });
    await world.call('localnet_setPrice', ['SOL', (sol * 0.92).toFixed(6)]);
    desk.headers = { 'x-min-slot': String(world.localnet.chain.slot) };
    price = await priceOf('mSOL');
    expect(price / before).toBeCloseTo(0.92, 3);
  });

  it('is lowered a little by one instruction, since the program refuses a withdrawal of its own', async () => {
    const acted = await desk.act('Deleverage', pair, lower(5));
    expect(acted.bundle.instructions.map(({ summary }) => summary).join()).toContain(
      'Repay 5 USDC and withdraw',
    );
    expect(Number(acted.preview.loanToValue.after)).toBeGreaterThan(0.65);
    expect(Number(acted.preview.loanToValue.after)).toBeLessThan(Number(acted.preview.loanToValue.before));
    const seeds = { seed1: desk.of('mSOL').mint, seed2: desk.of('USDC').mint };
    expectPosition(desk, pair, desk.obligation({ tag: 1, id: 0, ...seeds }), acted);
  });

  it('cannot be lowered by a swap that costs more than the debt is worth', async () => {
    const dear = desk.swap(['mSOL', msol((10 / price) * 1.01)], ['USDC', usdc(5) + usdc(5) / 50_000n]);
    const plan = await desk.build('Deleverage', pair, { ...lower(5), swap: dear });
    expect(plan.preview.warnings).toContainEqual(
      expect.objectContaining({ level: 'ERROR', code: 'LTV_WOULD_RISE' }),
    );
    expect(plan.simulation).toMatchObject({ success: false, error: { name: 'WorseLtvBlocked' } });
  });

  it('can be brought back below it', async () => {
    const acted = await desk.act('Deleverage', pair, lower(owed * 0.3));
    expect(Number(acted.preview.loanToValue.before)).toBeGreaterThan(0.65);
    expect(Number(acted.preview.loanToValue.after)).toBeLessThan(0.65);
    const seeds = { seed1: desk.of('mSOL').mint, seed2: desk.of('USDC').mint };
    expectPosition(desk, pair, desk.obligation({ tag: 1, id: 0, ...seeds }), acted);
  });
});
