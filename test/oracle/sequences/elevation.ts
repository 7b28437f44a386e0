import { KaminoAction } from '@kamino-finance/klend-sdk/dist/classes/action.js';
import { KaminoObligation } from '@kamino-finance/klend-sdk/dist/classes/obligation.js';
import { VanillaObligation } from '@kamino-finance/klend-sdk/dist/utils/ObligationType.js';
import { createNoopSigner } from '@solana/kit';
import { SLOT } from '../constants.ts';
import type { Json } from '../normalise.ts';
import { type Holdings, KLEND, LendingWorld, lendingBase } from './lending-world.ts';
import { instructionsJson } from './sdk-instructions.ts';

interface Case {
  readonly name: string;
  readonly group: number;
  readonly holdings: Holdings;
}

const OUTSIDE: Holdings = {
  deposits: [
    ['grouped', 50_000_000_000n],
    ['groupDebt', 1_000_000n],
  ],
  borrows: [['groupDebt', 10_000_000n]],
};

const cases: readonly Case[] = [
  { name: 'into a group', group: 1, holdings: OUTSIDE },
  { name: 'out of a group', group: 0, holdings: { ...OUTSIDE, group: 1 } },
  { name: 'without a debt', group: 1, holdings: { deposits: [['grouped', 5_000_000n]] } },
  {
    name: 'while referred',
    group: 1,
    holdings: { ...OUTSIDE, referred: true, referrerStates: ['groupDebt'] },
  },
  {
    name: 'with oracles of every kind and two debts',
    group: 0,
    holdings: {
      deposits: [
        ['oracles', 40_000_000_000n],
        ['plain', 50_000_000_000n],
      ],
      borrows: [
        ['sol', 9_000_000n],
        ['plain', 1_000_000n],
      ],
      group: 1,
    },
  },
  {
    name: 'with stakes in farms',
    group: 1,
    holdings: { deposits: [['farms', 40_000_000_000n]], borrows: [['farms', 9n]], farmUsers: [0, 1] },
  },
];

async function elevationCase({ name, group, holdings }: Case): Promise<Json> {
  const world = new LendingWorld();
  const type = new VanillaObligation(KLEND);
  await world.hold(type, holdings);
  const market = world.market();
  const address = await type.toPda(world.marketAddress, world.wallet);
  const obligation = await KaminoObligation.load(market, address);
  if (obligation === null) throw new Error(`no obligation for ${name}`);
  const built = await KaminoAction.buildRequestElevationGroupTxns({
    kaminoMarket: market,
    owner: createNoopSigner(world.wallet),
    obligation,
    elevationGroup: group,
    currentSlot: SLOT,
  });
  return {
    name,
    slot: `${SLOT}`,
    wallet: world.wallet,
    market: world.marketAddress,
    obligation: address,
    amount: '0',
    group,
    accounts: world.chain.toJson(new LendingWorld().chain),
    expected: instructionsJson(KaminoAction.actionToIxs(built)),
  };
}

/** Accounts of every case. */
export const base = lendingBase;

export async function sequences(): Promise<Json[]> {
  const written: Json[] = [];
  for (const each of cases) written.push(await elevationCase(each));
  return written;
}
