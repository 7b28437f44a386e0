import { KaminoObligation } from '@kamino-finance/klend-sdk/dist/classes/obligation.js';
import { getRepayWithCollIxs } from '@kamino-finance/klend-sdk/dist/lending_operations/repay_with_collateral_operations.js';
import {
  getAdjustLeverageIxs,
  getDepositWithLeverageIxs,
  getWithdrawWithLeverageIxs,
} from '@kamino-finance/klend-sdk/dist/leverage/operations.js';
import type { SwapInputs } from '@kamino-finance/klend-sdk/dist/leverage/types.js';
import { ObligationTypeTag } from '@kamino-finance/klend-sdk/dist/utils/ObligationType.js';
import { AccountRole, type Address, createNoopSigner, none, type Option, some } from '@solana/kit';
import sdkDecimal from 'decimal.js/decimal.js';
import { SLOT } from '../constants.ts';
import type { AnyInstruction } from '../instructions/template.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import { LendingWorld, lendingBase } from './lending-world.ts';
import { type LeverageCase, leverageCases, obligationOf } from './leverage-cases.ts';
import { instructionsJson } from './sdk-instructions.ts';

const { Decimal } = sdkDecimal;

const SWAP_PROGRAM = new Prng('sequences/swap').address();
/** Every token costs one dollar, and the swap pays its price. */
const ONE = new Decimal(1);

/** Input of the SDK's builders from a router: a quote, and one instruction that the wallet signs. */
function routerOf(world: LendingWorld) {
  let asked: SwapInputs | undefined;
  const swap: AnyInstruction = {
    programAddress: SWAP_PROGRAM,
    accounts: [{ address: world.wallet, role: AccountRole.WRITABLE_SIGNER }],
    data: Uint8Array.of(7),
  };
  return {
    quoter: async () => ({ priceAInB: ONE }),
    swapper: async (inputs: SwapInputs) => {
      asked = inputs;
      return [{ preActionIxs: [], swapIxs: [swap], lookupTables: [], quote: { priceAInB: ONE } }];
    },
    /** Base units that the swap is asked to spend. */
    spent: () => asked?.inputAmountLamports.toFixed() ?? '0',
  };
}

async function built(given: LeverageCase, world: LendingWorld, router: ReturnType<typeof routerOf>) {
  const type = obligationOf(world, given);
  const kaminoMarket = world.market();
  const address = await type.toPda(world.marketAddress, world.wallet);
  const obligation = await KaminoObligation.load(kaminoMarket, address);
  const [collReserve, debtReserve] = [given.collateral, given.debt].map((name) =>
    kaminoMarket.getExistingReserveByAddress(world.address(name)),
  );
  if (collReserve === undefined || debtReserve === undefined) throw new Error('no reserve');
  const referrer: Option<Address> = given.holdings.referred ? some(world.referrer) : none();
  const common = {
    owner: createNoopSigner(world.wallet),
    kaminoMarket,
    collReserveAddress: collReserve.address,
    debtReserveAddress: debtReserve.address,
    referrer,
    currentSlot: SLOT,
    slippagePct: new Decimal(0),
    scopeRefreshIx: [],
    quoteBufferBps: new Decimal(0),
    quoter: router.quoter,
    swapper: router.swapper,
    useV2Ixs: true,
    // The gateway always borrows the debt token.
    flashBorrowType: 'debt' as const,
    logger: () => {},
  };
  if (given.by === 'deposit') {
    return getDepositWithLeverageIxs({
      ...common,
      obligation,
      obligationTypeTagOverride:
        given.tag === 'multiply' ? ObligationTypeTag.Multiply : ObligationTypeTag.Leverage,
      depositAmount: new Decimal(given.tokens ?? 0),
      priceDebtToColl: ONE,
      targetLeverage: new Decimal(given.leverage ?? 1),
      selectedTokenMint: collReserve.getLiquidityMint(),
      elevationGroupOverride: 0,
    });
  }
  if (obligation === null) throw new Error(`no obligation for ${given.name}`);
  const depositedLamports = obligation.getDepositByReserve(collReserve.address)?.amount ?? new Decimal(0);
  const borrowedLamports = obligation.getBorrowByReserve(debtReserve.address)?.amount ?? new Decimal(0);
  const userSolBalanceLamports = 0;
  switch (given.by) {
    case 'increase':
    case 'decrease':
      return getAdjustLeverageIxs({
        ...common,
        obligation,
        depositedLamports,
        borrowedLamports,
        targetLeverage: new Decimal(given.leverage ?? 1),
        priceCollToDebt: ONE,
        priceDebtToColl: ONE,
        userSolBalanceLamports,
        // By default the SDK converts the withdrawal at a rate of 150 slots ago.
        withdrawSlotOffset: 0,
      });
    case 'close': {
      const deposited = depositedLamports.div(collReserve.getMintFactor());
      return getWithdrawWithLeverageIxs({
        ...common,
        obligation,
        deposited,
        borrowed: borrowedLamports.div(debtReserve.getMintFactor()),
        withdrawAmount: deposited,
        priceCollToDebt: ONE,
        isClosingPosition: true,
        selectedTokenMint: collReserve.getLiquidityMint(),
        userSolBalanceLamports,
      });
    }
    case 'repay':
      return getRepayWithCollIxs({
        ...common,
        obligation,
        repayAmount: new Decimal(given.tokens ?? 0),
        isClosingPosition: false,
      });
  }
}

/** Collateral of the wallet's own, base units. */
function ownUnits({ by, tokens = '0', collateral }: LeverageCase, world: LendingWorld): string {
  if (by !== 'deposit') return '0';
  const factor = world.market().getExistingReserveByAddress(world.address(collateral)).getMintFactor();
  return new Decimal(tokens).mul(factor).toFixed();
}

async function leverageCase(given: LeverageCase): Promise<Json> {
  const world = new LendingWorld();
  const type = obligationOf(world, given);
  await world.hold(type, given.holdings);
  const router = routerOf(world);
  const [first] = await built(given, world, router);
  if (first === undefined) throw new Error(`nothing built for ${given.name}`);
  const { tag, id, seed1, seed2 } = type.toArgs();
  return {
    name: given.name,
    by: given.by,
    slot: `${SLOT}`,
    wallet: world.wallet,
    market: world.marketAddress,
    collateralReserve: world.address(given.collateral),
    debtReserve: world.address(given.debt),
    key: { tag, id, seed1, seed2 },
    own: ownUnits(given, world),
    amount: router.spent(),
    accounts: world.chain.toJson(new LendingWorld().chain),
    expected: instructionsJson(first.ixs as readonly AnyInstruction[]),
  };
}

/** Accounts of every case. */
export const base = lendingBase;

export async function sequences(): Promise<Json[]> {
  const written: Json[] = [];
  for (const each of leverageCases) written.push(await leverageCase(each));
  return written;
}
