import { KaminoAction } from '@kamino-finance/klend-sdk/dist/classes/action.js';
import { KaminoObligation } from '@kamino-finance/klend-sdk/dist/classes/obligation.js';
import { VanillaObligation } from '@kamino-finance/klend-sdk/dist/utils/ObligationType.js';
import { createNoopSigner } from '@solana/kit';
import { SLOT } from '../constants.ts';
import { bn } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import { type Holdings, KLEND, LendingWorld, lendingBase, type ReserveName } from './lending-world.ts';
import { instructionsJson } from './sdk-instructions.ts';

interface Case {
  readonly name: string;
  readonly repay: ReserveName;
  readonly withdraw: ReserveName;
  /** Base units of the debt. */
  readonly amount: bigint;
  /** Least collateral to receive, base units. */
  readonly minReceived: bigint;
  readonly holdings: Holdings;
}

const MANY: Holdings = {
  deposits: [
    ['oracles', 40_000_000_000n],
    ['plain', 50_000_000_000n],
    ['token2022', 7_000_000n],
  ],
  borrows: [
    ['farms', 9_000_000n],
    ['plain', 1_000_000n],
  ],
};

const cases: readonly Case[] = [
  {
    name: 'one debt and one deposit',
    repay: 'oracles',
    withdraw: 'plain',
    amount: 1_000_000n,
    minReceived: 0n,
    holdings: { deposits: [['plain', 5_000_000n]], borrows: [['oracles', 4_900_000n]] },
  },
  {
    name: 'beside other positions',
    repay: 'plain',
    withdraw: 'oracles',
    amount: 1n,
    minReceived: 77n,
    holdings: MANY,
  },
  {
    name: 'debt and deposit of the same reserve',
    repay: 'plain',
    withdraw: 'plain',
    amount: 123n,
    minReceived: 1n,
    holdings: MANY,
  },
  {
    name: 'a deposit of Token-2022',
    repay: 'plain',
    withdraw: 'token2022',
    amount: 123n,
    minReceived: 1n,
    holdings: MANY,
  },
  {
    name: 'a debt farm in which the obligation has no stake',
    repay: 'farms',
    withdraw: 'plain',
    amount: 123n,
    minReceived: 1n,
    holdings: MANY,
  },
  {
    name: 'stakes in the farms of both sides',
    repay: 'farms',
    withdraw: 'farms',
    amount: 123n,
    minReceived: 1n,
    holdings: { deposits: [['farms', 5_000_000n]], borrows: [['farms', 4_900_000n]], farmUsers: [0, 1] },
  },
  {
    name: 'in a group',
    repay: 'groupDebt',
    withdraw: 'grouped',
    amount: 5_000n,
    minReceived: 5_000n,
    holdings: {
      deposits: [
        ['grouped', 50_000_000_000n],
        ['plain', 1_000_000n],
      ],
      borrows: [['groupDebt', 10_000_000n]],
      group: 1,
    },
  },
  {
    name: 'while the owner is referred',
    repay: 'plain',
    withdraw: 'oracles',
    amount: 5_000n,
    minReceived: 1n,
    holdings: { ...MANY, referred: true, referrerStates: ['farms', 'plain'] },
  },
];

async function liquidationCase({
  name,
  repay,
  withdraw,
  amount,
  minReceived,
  holdings,
}: Case): Promise<Json> {
  const world = new LendingWorld();
  const type = new VanillaObligation(KLEND);
  await world.hold(type, holdings);
  const liquidator = new Prng('sequences/liquidator').address();
  const market = world.market();
  const address = await type.toPda(world.marketAddress, world.wallet);
  const obligation = await KaminoObligation.load(market, address);
  if (obligation === null) throw new Error(`no obligation for ${name}`);
  const built = await KaminoAction.buildLiquidateTxns({
    kaminoMarket: market,
    amount: bn(amount),
    minCollateralReceiveAmount: bn(minReceived),
    repayReserveAddress: world.address(repay),
    withdrawReserveAddress: world.address(withdraw),
    liquidator: createNoopSigner(liquidator),
    obligationOwner: world.wallet,
    obligation,
    useV2Ixs: true,
    // A liquidator needs no metadata.
    initUserMetadata: { skipInitialization: true, skipLutCreation: true },
    currentSlot: SLOT,
  });
  return {
    name,
    slot: `${SLOT}`,
    wallet: liquidator,
    obligation: address,
    repayReserve: world.address(repay),
    withdrawReserve: world.address(withdraw),
    amount: `${amount}`,
    minReceived: `${minReceived}`,
    accounts: world.chain.toJson(new LendingWorld().chain),
    expected: instructionsJson(KaminoAction.actionToIxs(built)),
  };
}

/** Accounts of every case. */
export const base = lendingBase;

export async function sequences(): Promise<Json[]> {
  const written: Json[] = [];
  for (const each of cases) written.push(await liquidationCase(each));
  return written;
}
