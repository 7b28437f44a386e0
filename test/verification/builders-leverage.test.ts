import type { ObligationKey } from '@sluice/protocol/klend/addresses';
import { obligationAddress } from '@sluice/protocol/klend/addresses';
import { obligation } from '@sluice/protocol/klend/obligation';
import { reserve } from '@sluice/protocol/klend/reserve';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import {
  COMPUTE_BUDGET_PROGRAM,
  MAINNET_PROGRAMS,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { closeAccount } from '@sluice/protocol/token/instructions';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { StepContext } from '../../src/builders/action.ts';
import { leverageAccounts } from '../../src/builders/leverage/accounts.ts';
import type { LeverageBuild } from '../../src/builders/leverage/build.ts';
import { buildMultiply } from '../../src/builders/leverage/multiply.ts';
import { buildRepayWithCollateral } from '../../src/builders/leverage/repay-with-collateral.ts';
import {
  type CollateralAction,
  firstLoanReads,
  type LeverageRequest,
  leveragePair,
  secondLoanReads,
} from '../../src/builders/leverage/request.ts';
import type { ReadAccounts } from '../../src/builders/read-accounts.ts';
import { withPositions } from '../../src/builders/transaction/instruction-positions.ts';
import { NOW } from '../support/builders/lending-accounts.ts';
import { argsOf, nameOf, type SequenceCase, sequencesOf } from '../support/vectors/sequence-vectors.ts';

/**
 * The three builders beside getDepositWithLeverageIxs, getAdjustLeverageIxs, getWithdrawWithLeverageIxs and
 * getRepayWithCollIxs of the official SDK, with a flash loan of the debt token and a swap of one instruction.
 */

const { klend } = MAINNET_PROGRAMS;

type LeverageSequenceCase = SequenceCase<{
  /** Which function of the SDK built it. */
  readonly by: 'deposit' | 'increase' | 'decrease' | 'close' | 'repay';
  readonly market: Address;
  readonly collateralReserve: Address;
  readonly debtReserve: Address;
  readonly key: ObligationKey;
  /** Collateral of the wallet's own, base units. `amount` is what the SDK asks the swap to spend. */
  readonly own: string;
}>;

const SEQUENCES = sequencesOf<LeverageSequenceCase>('leverage');
const isOpening = ({ by }: LeverageSequenceCase) => by === 'deposit' || by === 'increase';
const isSwap = ({ data }: EncodedInstruction) => data.length === 1 && data[0] === 7;
const named = (each: EncodedInstruction) => (isSwap(each) ? 'swap' : nameOf(each));

/** The amount of an instruction that the SDK chose. */
function chosen({ expected }: LeverageSequenceCase, name: string): bigint {
  const found = expected.find((each) => named(each) === name) ?? expect.fail(`no ${name}`);
  const args = argsOf(found);
  const amount = args.liquidityAmount ?? args.collateralAmount;
  return typeof amount === 'bigint' ? amount : expect.fail(`no amount of ${name}`);
}

/** The swap of the case, as a caller passes it: what the SDK relies on is its minimum. */
function requestOf(given: LeverageSequenceCase): LeverageRequest {
  const { wallet, market, key, collateralReserve, debtReserve } = given;
  const borrowed = chosen(given, 'flashBorrowReserveLiquidity');
  const minOut = isOpening(given)
    ? chosen(given, 'depositReserveLiquidityAndObligationCollateralV2') - BigInt(given.own)
    : borrowed * 2n;
  return {
    programs: MAINNET_PROGRAMS,
    wallet,
    market,
    obligation: { key },
    collateralReserve,
    debtReserve,
    swap: {
      instructions: given.expected.filter(isSwap),
      lookupTables: [],
      inAmount: isOpening(given) ? borrowed : given.amount,
      minOut,
      signers: [],
      quote: null,
    },
    lookupTables: [],
    oracles: [],
    isShareMint: () => false,
    rewardApys: () => ({ supply: {}, borrow: {} }),
  };
}

const reserveOf = ({ read }: LeverageSequenceCase, address: Address) =>
  reserve.decode(read(address) ?? expect.fail('no reserve'), klend);

/** Whether the obligation is in an elevation group. */
function isGrouped({ wallet, market, key, read }: LeverageSequenceCase): boolean {
  const account = read(obligationAddress(klend, wallet, market, key).address);
  return account !== null && obligation.decode(account, klend).elevationGroup !== 0;
}

const collateralAction = (given: LeverageSequenceCase): CollateralAction =>
  isOpening(given) ? 'deposit' : 'withdraw';

function build(given: LeverageSequenceCase, read: ReadAccounts = given.read): LeverageBuild {
  const { slot, wallet } = given;
  const at: StepContext = { slot, moment: { ...NOW, slot }, payer: wallet, fresh: new Set() };
  const accounts = leverageAccounts(requestOf(given), collateralAction(given), read, at);
  if (isOpening(given)) {
    const own = BigInt(given.own);
    const deposit = own === 0n ? null : { baseUnits: own };
    const borrow = { baseUnits: chosen(given, 'borrowObligationLiquidityV2') };
    return buildMultiply(accounts, { deposit, borrow }, read);
  }
  const repay =
    given.by === 'close'
      ? { all: true as const }
      : { baseUnits: chosen(given, 'repayObligationLiquidityV2') };
  return buildRepayWithCollateral(accounts, { repay, closes: given.by === 'close' }, read);
}

const ours = (given: LeverageSequenceCase) => withPositions(build(given).sequence.instructions);

const SETUP = /^(init|createAssociated)/;
/** The reserve that an instruction changes, which must be refreshed after it. */
function changedReserve(each: EncodedInstruction, given: LeverageSequenceCase): Address | null {
  const name = named(each);
  if (name.startsWith('flash') || /^(borrow|repay)/.test(name)) return given.debtReserve;
  return /^(deposit|withdraw)/.test(name) ? given.collateralReserve : null;
}

/** Every intended difference from the SDK: how its instructions are adjusted before the comparison, and why. */
const DIFFERENCES: readonly {
  readonly what: string;
  readonly why: string;
  apply(all: EncodedInstruction[], given: LeverageSequenceCase): EncodedInstruction[];
}[] = [
  {
    what: 'no compute-budget instruction',
    why: 'the API adds one only on request',
    apply: (all) => all.filter(({ programAddress }) => programAddress !== COMPUTE_BUDGET_PROGRAM),
  },
  {
    what: 'no account for collateral tokens',
    why: 'no token of the action passes through it',
    apply: (all, given) => {
      const { mintPubkey } = reserveOf(given, given.collateralReserve).collateral;
      return all.filter(
        (each) =>
          named(each) !== 'createAssociatedTokenIdempotent' || each.accounts[3]?.address !== mintPubkey,
      );
    },
  },
  {
    what: 'set-up runs before the flash loan',
    why: 'it may need a transaction of its own, and a flash loan cannot be split',
    apply: (all) => [
      ...all.filter((each) => SETUP.test(named(each))),
      ...all.filter((each) => !SETUP.test(named(each))),
    ],
  },
  {
    what: 'a reserve that is refreshed and unchanged is not refreshed again',
    why: 'the program demands a refresh in the same slot, after the last change',
    apply: (all, given) => {
      const fresh = new Set<Address>();
      return all.filter((each) => {
        const changed = changedReserve(each, given);
        if (changed !== null) fresh.delete(changed);
        const refreshed = named(each) === 'refreshReserve' ? each.accounts[0]?.address : undefined;
        if (refreshed === undefined) return true;
        const isNeeded = !fresh.has(refreshed);
        fresh.add(refreshed);
        return isNeeded;
      });
    },
  },
  {
    what: 'a reserve without a debt left is not refreshed',
    why: 'a refresh of the obligation takes the reserves that it uses, and no more',
    apply: (all, { by, debtReserve }) => {
      const repaid = all.findIndex((each) => named(each) === 'repayObligationLiquidityV2');
      return all.filter(
        (each, index) =>
          by !== 'close' ||
          index < repaid ||
          named(each) !== 'refreshReserve' ||
          each.accounts[0]?.address !== debtReserve,
      );
    },
  },
  {
    what: 'deposit reserves follow a borrow only in an elevation group',
    why: 'the program reads them only there; a plain borrow of the SDK has none either',
    apply: (all, given) =>
      all.map((each) =>
        named(each) === 'borrowObligationLiquidityV2' && !isGrouped(given)
          ? { ...each, accounts: each.accounts.filter(({ address }) => address !== given.collateralReserve) }
          : each,
      ),
  },
  {
    what: 'the wrapped-SOL account that the action opens is closed after an opening, too',
    why: 'the surplus of the swap and the rent return to the wallet as SOL',
    apply: (all, given) => {
      const mints = [given.collateralReserve, given.debtReserve].map(
        (each) => reserveOf(given, each).liquidity.mintPubkey,
      );
      if (!isOpening(given) || !mints.includes(WRAPPED_SOL_MINT)) return all;
      const { wallet } = given;
      const account = associatedTokenAddress(wallet, TOKEN_PROGRAM, WRAPPED_SOL_MINT).address;
      return [
        ...all,
        closeAccount.encode(TOKEN_PROGRAM, { account, destination: wallet, owner: wallet }, {}),
      ];
    },
  },
  {
    what: 'a flash loan that repays everything covers twenty minutes of interest',
    why: 'the SDK scales its estimate of the debt by a fixed margin; what is not owed returns with the loan either way',
    apply: (all, given) => {
      if (given.by !== 'close') return all;
      const flash = ours(given).filter((each) => named(each).startsWith('flash'));
      return all.map((each) => {
        const own = flash.find((other) => named(other) === named(each));
        return own === undefined ? each : { ...each, data: own.data };
      });
    },
  },
];

const adjusted = (given: LeverageSequenceCase) =>
  DIFFERENCES.reduce((all, { apply }) => apply(all, given), [...given.expected]);

/** The position in a repayment is compared by itself: it depends on what stands in front. */
const withoutPosition = (each: EncodedInstruction) =>
  named(each) === 'flashRepayReserveLiquidity' ? { ...each, data: each.data.slice(0, -1) } : each;
const lines = (all: readonly EncodedInstruction[]) =>
  all.map((each) => {
    const { accounts, data } = withoutPosition(each);
    const listed = accounts.map(({ address, role }) => `${address}:${role}`).join(' ');
    return `${named(each)} ${Buffer.from(data).toString('hex')} ${listed}`;
  });

const subjects = SEQUENCES.map((given) => [given.name, given] as const);

describe('actions around a flash loan against the official SDK', () => {
  it('has a case of each function', () => {
    const functions = new Set(subjects.map(([, { by }]) => by));
    expect([...functions].sort()).toEqual(['close', 'decrease', 'deposit', 'increase', 'repay']);
    expect(subjects.length).toBeGreaterThanOrEqual(20);
  });

  it.each(subjects)('%s: same instructions, accounts, roles, data and order', (_, given) => {
    expect(lines(ours(given))).toEqual(lines(adjusted(given)));
  });

  it('a loan that closes a position covers the debt and little more, as the one of the SDK does', () => {
    for (const [, given] of subjects.filter(([, { by }]) => by === 'close')) {
      const { loan, sequence } = build(given);
      const owed = sequence.moved('repay');
      for (const amount of [loan.amount, chosen(given, 'flashBorrowReserveLiquidity')]) {
        expect(amount).toBeGreaterThan(owed);
        expect(amount).toBeLessThan(owed + owed / 500n);
      }
    }
  });

  it.each(subjects)('%s: the repayment names the flash loan', (_, given) => {
    for (const all of [ours(given), given.expected]) {
      const names = all.map(named);
      const repayment = all[names.indexOf('flashRepayReserveLiquidity')] ?? expect.fail('no repayment');
      expect(argsOf(repayment).borrowInstructionIndex).toBe(names.indexOf('flashBorrowReserveLiquidity'));
    }
  });

  it.each(subjects)('%s: reads only accounts of the two rounds', (_, given) => {
    const request = requestOf(given);
    const pair = leveragePair(collateralAction(given));
    const requested = new Set([
      ...firstLoanReads(request, pair),
      ...secondLoanReads(request, pair, given.read),
    ]);
    // A farm is looked up only for a claim later in the same plan, which reads it.
    const farms = [given.collateralReserve, given.debtReserve]
      .map((each) => reserveOf(given, each))
      .flatMap(({ farmCollateral, farmDebt }) => [farmCollateral, farmDebt]);
    const missed = new Set<Address>();
    build(given, (address) => {
      if (!requested.has(address) && !farms.includes(address)) missed.add(address);
      return given.read(address);
    });
    expect([...missed]).toEqual([]);
  });

  it('needs every listed difference', () => {
    for (const { what, apply } of DIFFERENCES) {
      const used = subjects.some(
        ([, given]) => lines(apply([...given.expected], given)).join() !== lines(given.expected).join(),
      );
      expect(used, what).toBe(true);
    }
  });
});
