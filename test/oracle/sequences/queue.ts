import { KaminoAction } from '@kamino-finance/klend-sdk/dist/classes/action.js';
import { VanillaObligation } from '@kamino-finance/klend-sdk/dist/utils/ObligationType.js';
import { createNoopSigner } from '@solana/kit';
import { findAssociatedTokenPda } from '@solana-program/token';
import { SLOT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../constants.ts';
import { bn } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { type Holdings, KLEND, LendingWorld, lendingBase, type ReserveName } from './lending-world.ts';
import { instructionsJson } from './sdk-instructions.ts';
import { putTokenAccount } from './token-accounts.ts';

interface Case {
  readonly name: string;
  readonly reserve: ReserveName;
  readonly amount: bigint;
  /** Undefined when the wallet itself holds the collateral tokens. */
  readonly holdings?: Holdings;
}

const ONE: Holdings = { deposits: [['plain', 50_000_000_000n]] };
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
  { name: 'a part of a deposit', reserve: 'plain', amount: 3_333_333n, holdings: ONE },
  { name: 'one unit', reserve: 'plain', amount: 1n, holdings: ONE },
  { name: 'beside many', reserve: 'oracles', amount: 1_000_000n, holdings: MANY },
  { name: 'Token-2022', reserve: 'token2022', amount: 12_345n, holdings: MANY },
  {
    name: 'with a stake in a farm',
    reserve: 'farms',
    amount: 1_000_000n,
    holdings: { deposits: [['farms', 9_000_000n]], farmUsers: [0] },
  },
  {
    name: 'in a group',
    reserve: 'grouped',
    amount: 12_345n,
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
    name: 'while referred',
    reserve: 'plain',
    amount: 42n,
    holdings: { ...MANY, referred: true, referrerStates: ['farms', 'plain'] },
  },
  { name: 'collateral tokens of the wallet', reserve: 'plain', amount: 77_777n },
];

async function queueCase({ name, reserve, amount, holdings }: Case): Promise<Json> {
  const world = new LendingWorld();
  const type = new VanillaObligation(KLEND);
  const owner = createNoopSigner(world.wallet);
  const market = world.market();
  const account = market.getReserveByAddress(world.address(reserve));
  if (account === undefined) throw new Error(`no reserve ${reserve}`);
  const tokenProgram = reserve === 'token2022' ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM;
  const mint = account.getLiquidityMint();
  const [destination] = await findAssociatedTokenPda({ owner: world.wallet, mint, tokenProgram });
  if (holdings === undefined) {
    await putTokenAccount(world.chain, world.wallet, account.getCTokenMint(), 10n ** 9n);
    await putTokenAccount(world.chain, world.wallet, mint, 0n);
  } else {
    await world.hold(type, holdings);
  }
  const instructions =
    holdings === undefined
      ? [await KaminoAction.buildEnqueueToWithdrawIx(owner, market, account, bn(amount), destination)]
      : KaminoAction.actionToIxs(
          await KaminoAction.buildWithdrawFromObligationAndEnqueueTxns({
            kaminoMarket: world.market(),
            withdrawAmount: bn(amount),
            reserveAddress: world.address(reserve),
            owner,
            obligation: type,
            scopeRefreshConfig: undefined,
            extraComputeBudget: 1_000_000,
            initUserMetadata: { skipInitialization: false, skipLutCreation: true },
            currentSlot: SLOT,
          }),
        );
  return {
    name,
    slot: `${SLOT}`,
    wallet: world.wallet,
    market: world.marketAddress,
    reserve: world.address(reserve),
    isInObligation: holdings !== undefined,
    amount: `${amount}`,
    accounts: world.chain.toJson(new LendingWorld().chain),
    expected: instructionsJson(instructions),
  };
}

/** Accounts of every case. */
export const base = lendingBase;

export async function sequences(): Promise<Json[]> {
  const written: Json[] = [];
  for (const each of cases) written.push(await queueCase(each));
  return written;
}
