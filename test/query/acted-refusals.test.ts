import type { StoredAccount } from '@sluice/localnet/chain';
import { farmState } from '@sluice/protocol/farms/farm-state';
import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { lendingMarket } from '@sluice/protocol/klend/lending-market';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { AccountLayout } from '@sluice/protocol/layout/account';
import type { Fields, StructInput } from '@sluice/protocol/layout/struct';
import { MAINNET_PROGRAMS, NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { accountIn } from '../../packages/localnet/test/support/chain/test-world.ts';
import type { WarningCode } from '../../src/builders/warnings.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { alterAccount, isBuilt, PlanActor } from '../support/apps/plan-actor.ts';

/**
 * Liquidations, moves to elevation groups and claims that cannot work. The gateway refuses each with a code; built all the
 * same, the program answers with its own error.
 */

const { klend, kvault } = MAINNET_PROGRAMS;

let world: ActingApp;
let reserves: Readonly<Record<'jitoSOL' | 'hbSOL' | 'USDC' | 'SOL', Address>>;
let keeper: PlanActor;
let debtor: PlanActor;
let loan: Address;
const changed = new Map<Address, StoredAccount>();

beforeAll(async () => {
  world = await startActingApp();
  const { chain: localChain, addresses } = world.localnet;
  const market = localChain.world.markets.find(({ address }) => address === addresses.market);
  const named = (symbol: string) =>
    market?.reserves.find(({ token }) => token.symbol === symbol) ?? expect.fail(symbol);
  const [jito, hb, usdc, sol] = [named('jitoSOL'), named('hbSOL'), named('USDC'), named('SOL')];
  reserves = { jitoSOL: jito.address, hbSOL: hb.address, USDC: usdc.address, SOL: sol.address };
  keeper = new PlanActor(world, await world.newWallet({ [usdc.token.mint.address]: 10_000_000_000n }));
  const funds = { [jito.token.mint.address]: 20_000_000_000n, [hb.token.mint.address]: 20_000_000_000n };
  debtor = new PlanActor(world, await world.newWallet(funds));
  await debtor.act(
    debtor.lending('Deposit', jito.address, '20'),
    debtor.lending('Deposit', hb.address, '20'),
    debtor.lending('Borrow', usdc.address, '500'),
    debtor.lending('Borrow', sol.address, '1'),
  );
  loan = obligationAddress(klend, debtor.address, addresses.market, VANILLA_OBLIGATION).address;
});
afterAll(() => world?.stop());
afterEach(() => {
  world.localnet.chain.world.store.commit(changed);
  changed.clear();
});

/** Changes an account until the end of the test. */
function alter<F extends Fields>(layout: AccountLayout<F>, address: Address, fields: StructInput<F>): void {
  if (!changed.has(address)) changed.set(address, accountIn(world.localnet.chain, address));
  alterAccount(world, layout, address, fields);
}

const alterMarket = (fields: StructInput<typeof lendingMarket.body.fields>) =>
  alter(lendingMarket, world.localnet.addresses.market, fields);
const thresholds = (jito: number, hb: number) => {
  alter(reserve, reserves.jitoSOL, { config: { loanToValuePct: 1, liquidationThresholdPct: jito } });
  alter(reserve, reserves.hbSOL, { config: { loanToValuePct: 1, liquidationThresholdPct: hb } });
};

interface Case {
  readonly name: string;
  readonly given: () => void;
  readonly action?: object;
  readonly code: WarningCode;
  readonly error: string;
}

/** Refused with the code; built all the same, the simulation fails with the program's error. */
async function expectRefused(actor: PlanActor, action: object, { code, error }: Case): Promise<void> {
  const refusal = await actor.refused([action]);
  expect(refusal).toMatchObject({ code: 'BUILD_REFUSED', step: 0 });
  expect(refusal.message).toContain(code);
  const plan = await actor.build([action], { strict: false });
  if (!isBuilt(plan)) return expect.fail(plan.message);
  expect(plan.preview.warnings.filter(({ level }) => level === 'ERROR').map((each) => each.code)).toContain(
    code,
  );
  expect(plan.simulation).toMatchObject({ success: false, error: { name: error } });
}

describe('a liquidation', () => {
  const CASES: readonly Case[] = [
    {
      name: 'a healthy loan',
      given: () => {},
      code: 'NOT_LIQUIDATABLE',
      error: 'ObligationHealthy',
    },
    {
      name: 'a collateral without a threshold',
      given: () => thresholds(0, 5),
      code: 'NOT_LIQUIDATABLE',
      error: 'CollateralNonLiquidatable',
    },
    {
      name: 'a collateral after one with a lower threshold',
      given: () => thresholds(3, 2),
      code: 'LIQUIDATION_ORDER',
      error: 'LiquidationLowestLiquidationLtvPriority',
    },
    {
      name: 'a debt after one with a higher borrow factor',
      given: () => {
        thresholds(5, 5);
        alter(reserve, reserves.SOL, { config: { borrowFactorPct: 300n } });
      },
      code: 'LIQUIDATION_ORDER',
      error: 'LiquidationBorrowFactorPriority',
    },
    {
      name: 'less collateral than demanded',
      given: () => thresholds(5, 5),
      action: { minCollateral: '1000' },
      code: 'RECEIVED_TOO_LITTLE',
      error: 'LiquidationRewardTooSmall',
    },
    {
      name: 'a part of a debt that must be repaid whole',
      given: () => {
        thresholds(5, 5);
        alterMarket({ minFullLiquidationValueThreshold: 1_000n });
      },
      action: { amount: { tokens: '1' } },
      code: 'AMOUNT_BELOW_MINIMUM',
      error: 'RepayTooSmallForFullLiquidation',
    },
    {
      name: 'more than the keeper has',
      given: () => thresholds(5, 5),
      action: { wallet: 'poor' },
      code: 'BALANCE_TOO_LOW',
      error: 'InsufficientFunds',
    },
    {
      name: 'a market in emergency',
      given: () => {
        thresholds(5, 5);
        alterMarket({ emergencyMode: 1 });
      },
      code: 'ACTION_NOT_ALLOWED',
      error: 'GlobalEmergencyMode',
    },
  ];

  it.each(CASES)('of $name is $error', async (row) => {
    const isPoor = row.action !== undefined && 'wallet' in row.action;
    const { mintPubkey } = reserve.decode(accountIn(world.localnet.chain, reserves.USDC), klend).liquidity;
    const actor = isPoor ? new PlanActor(world, await world.newWallet({ [mintPubkey]: 1n })) : keeper;
    row.given();
    const liquidate = {
      obligation: loan,
      repayReserve: reserves.USDC,
      withdrawReserve: reserves.jitoSOL,
      amount: { tokens: '50' },
      ...row.action,
      wallet: actor.address,
    };
    await expectRefused(actor, { liquidate }, row);
  });
});

describe('a move to an elevation group', () => {
  let owner: PlanActor;
  const inGroup = (
    fields: NonNullable<StructInput<typeof lendingMarket.body.fields>['elevationGroups']>[0],
  ) => alterMarket({ elevationGroups: [fields ?? {}] });

  beforeAll(async () => {
    const { mintPubkey } = reserve.decode(accountIn(world.localnet.chain, reserves.jitoSOL), klend).liquidity;
    owner = new PlanActor(world, await world.newWallet({ [mintPubkey]: 20_000_000_000n }));
    await owner.act(
      owner.lending('Deposit', reserves.jitoSOL, '20'),
      owner.lending('Borrow', reserves.SOL, '2'),
    );
  });

  const CASES: readonly (Case & { readonly group?: number })[] = [
    {
      name: 'the one it is in',
      given: () => {},
      group: 0,
      code: 'ELEVATION_GROUP_ACTIVE',
      error: 'ElevationGroupAlreadyActivated',
    },
    {
      name: 'one that the market does not define',
      given: () => {},
      group: 30,
      code: 'ELEVATION_GROUP_UNKNOWN',
      error: 'InvalidElevationGroup',
    },
    {
      name: 'one without new loans',
      given: () => inGroup({ allowNewLoans: 0 }),
      code: 'ELEVATION_GROUP_CLOSED',
      error: 'ElevationGroupNewLoansDisabled',
    },
    {
      name: 'one without a debt reserve',
      given: () => inGroup({ debtReserve: NO_ADDRESS }),
      code: 'ELEVATION_GROUP_CLOSED',
      error: 'ElevationGroupWithoutDebtReserve',
    },
    {
      name: 'one without collateral',
      given: () => inGroup({ maxReservesAsCollateral: 0 }),
      code: 'ELEVATION_GROUP_CLOSED',
      error: 'ElevationGroupMaxCollateralReserveZero',
    },
    {
      name: 'one that lends something else',
      given: () => inGroup({ debtReserve: reserves.hbSOL }),
      code: 'ELEVATION_GROUP_DEBT',
      error: 'ElevationGroupHasAnotherDebtReserve',
    },
    {
      name: 'one that does not take the deposit',
      given: () => alter(reserve, reserves.jitoSOL, { config: { elevationGroups: new Uint8Array(20) } }),
      code: 'ELEVATION_GROUP_COLLATERAL',
      error: 'InconsistentElevationGroup',
    },
    {
      name: 'one whose terms the loan does not meet',
      given: () => inGroup({ ltvPct: 1, liquidationThresholdPct: 2 }),
      code: 'COLLATERAL_TOO_LOW',
      error: 'UnhealthyElevationGroupLtv',
    },
    {
      name: 'one in a market in emergency',
      given: () => alterMarket({ emergencyMode: 1 }),
      code: 'ACTION_NOT_ALLOWED',
      error: 'GlobalEmergencyMode',
    },
  ];

  it.each(CASES)('to $name is $error', async (row) => {
    row.given();
    const { market } = world.localnet.addresses;
    const requestElevationGroup = { wallet: owner.address, market, group: row.group ?? 1 };
    await expectRefused(owner, { requestElevationGroup }, row);
  });
});

describe('a claim', () => {
  it('before its time is MinClaimDurationNotReached', async () => {
    const { vault, tokenMint } = world.localnet.addresses;
    const { vaultFarm } = vaultState.decode(accountIn(world.localnet.chain, vault), kvault);
    const staker = new PlanActor(world, await world.newWallet({ [tokenMint]: 1_000_000_000n }));
    await staker.act(staker.vault('Deposit', { tokens: '1000' }));
    await staker.wait(86_400);
    const early = await staker.build([staker.claim(vaultFarm)]);
    if (!isBuilt(early)) return expect.fail(early.message);
    alter(farmState, vaultFarm, {
      rewardInfos: Array.from({ length: 10 }, () => ({ minClaimDurationSeconds: 7n * 86_400n })),
    });
    const refusal = await staker.refused([staker.claim(vaultFarm)]);
    expect(refusal).toMatchObject({ __typename: 'NothingToClaim', code: 'NOTHING_TO_CLAIM', step: 0 });
    expect(refusal.message).toMatch(/lets the wallet claim again in 5\d{5} seconds/);
    const { explained } = await simulated(early.transactions[0]?.base64 ?? '');
    expect(explained.simulation).toMatchObject({
      success: false,
      error: { name: 'MinClaimDurationNotReached' },
    });
  });

  async function simulated(transaction: string) {
    const { data, errors } = await world.gateway.query<{
      explained: { simulation: { success: boolean; error: { name: string } | null } };
    }>(
      `query ($transaction: Base64!) { explained: explainTransaction(transaction: $transaction) {
        ... on TransactionExplanation { simulation { success error { name } } } } }`,
      { variables: { transaction } },
    );
    expect(errors).toEqual([]);
    return data;
  }
});
