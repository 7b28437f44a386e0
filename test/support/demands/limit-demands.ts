import { Rational } from '@sluice/protocol/numeric/rational';
import { accountIn } from '../../../packages/localnet/test/support/chain/test-world.ts';
import { groupMove } from '../lending/group-move.ts';
import {
  BORROW,
  DEPOSIT,
  type Demand,
  REPAY,
  type Stage,
  WITHDRAW,
  withAccounts,
  withAmount,
} from './demand.ts';
import { Lender } from './lender.ts';

const UNITS = 1_000_000n;
/** More than the 180 seconds for which a price is valid. */
const STALE_SLOTS = 1_000;
const EIGHT = ['USDC', 'USDT', 'mSOL', 'hbSOL', 'jitoSOL', 'wBTC', 'wETH', 'HUSD'];
const LEAVE = 'withdrawFromAvailable';
const FIVE = ['USDC', 'USDT', 'HUSD', 'wETH', 'SOL'];

/** A new wallet with a deposit of these tokens. */
async function depositor({ client }: Stage, number: number, symbols: readonly string[], market = 0) {
  const lender = await Lender.fresh(client, number, market);
  for (const symbol of symbols) {
    lender.fund(symbol);
    await lender.send(lender.build('deposit', symbol, 10n * UNITS));
  }
  return lender;
}

const leaving =
  (shares: bigint) =>
  ({ plain }: Stage) => ({
    lender: plain,
    instructions: withAmount(plain.leaveVault({ shares: Rational.of(1n, 100n) }), LEAVE, shares),
  });

/** Amounts, caps, minimums and elevation groups. */
export const LIMIT_DEMANDS: readonly Demand[] = [
  [
    'a borrow above the loan-to-value limit',
    'BorrowTooLarge',
    BORROW,
    ({ plain }) => ({ lender: plain, instructions: plain.build('borrow', 'USDC', 100_000n * UNITS) }),
  ],
  [
    'a deposit above the limit of the reserve',
    'DepositLimitExceeded',
    DEPOSIT,
    ({ plain }) => ({ lender: plain, instructions: plain.build('deposit', 'wBTC', null) }),
  ],
  [
    'a deposit in an obsolete reserve',
    'ReserveObsolete',
    DEPOSIT,
    async (stage) => {
      const lender = await Lender.fresh(stage.client, 10);
      lender.fund('CORAL');
      return { lender, instructions: lender.build('deposit', 'CORAL', UNITS) };
    },
  ],
  [
    'a borrow while the utilization is above its limit',
    'BorrowingAboveUtilizationRateDisabled',
    BORROW,
    async (stage) => {
      const lender = await depositor(stage, 11, ['mSOL'], 1);
      return { lender, instructions: lender.build('borrow', 'SOL', UNITS) };
    },
  ],
  [
    'a ninth deposit',
    'ObligationReserveLimit',
    DEPOSIT,
    async (stage) => {
      const lender = await depositor(stage, 12, EIGHT);
      lender.fund('SOL');
      return { lender, instructions: lender.build('deposit', 'SOL', UNITS) };
    },
  ],
  [
    'a sixth debt',
    'ObligationReserveLimit',
    BORROW,
    async (stage) => {
      const lender = await depositor(stage, 13, ['wBTC']);
      for (const symbol of FIVE) await lender.send(lender.build('borrow', symbol, UNITS));
      return { lender, instructions: lender.build('borrow', 'EURK', UNITS) };
    },
  ],
  [
    'a deposit of which less than the minimum would remain',
    'NetValueRemainingTooSmall',
    WITHDRAW,
    async (stage) => {
      const lender = await depositor(stage, 14, ['mSOL']);
      const [held] = lender.state().deposits;
      const instructions = lender.build('withdraw', 'mSOL', UNITS);
      return { lender, instructions: withAmount(instructions, WITHDRAW, (held?.depositedAmount ?? 0n) - 1n) };
    },
  ],
  [
    'a debt of which less than the minimum would remain',
    'NetValueRemainingTooSmall',
    REPAY,
    async (stage) => {
      const lender = await depositor(stage, 15, ['wBTC']);
      lender.fund('SOL');
      await lender.send(lender.build('borrow', 'SOL', UNITS));
      const owed = (lender.state().borrows[0]?.borrowedAmountSf ?? 0n) >> 60n;
      return { lender, instructions: lender.build('repay', 'SOL', owed - 1n) };
    },
  ],
  [
    'a deposit that does not belong to the group',
    'InconsistentElevationGroup',
    DEPOSIT,
    ({ grouped }) => ({ lender: grouped, instructions: grouped.build('deposit', 'wBTC', UNITS) }),
  ],
  [
    'a debt that does not belong to the group',
    'InconsistentElevationGroup',
    BORROW,
    ({ grouped }) => ({ lender: grouped, instructions: grouped.build('borrow', 'USDC', UNITS) }),
  ],
  [
    'a group to which a deposit does not belong',
    'InconsistentElevationGroup',
    'requestElevationGroup',
    ({ plain }) => ({ lender: plain, instructions: groupMove(plain.accounts('withdraw', 'SOL'), 2) }),
  ],
  [
    'collateral for groups only, without a group',
    'BorrowingDisabledOutsideElevationGroup',
    BORROW,
    async (stage) => {
      const lender = await depositor(stage, 16, ['tdSOL']);
      return { lender, instructions: lender.build('borrow', 'USDC', UNITS) };
    },
  ],
  [
    'a vault deposit below the minimum',
    'DepositAmountBelowMinimum',
    'deposit',
    ({ plain }) => ({ lender: plain, instructions: withAmount(plain.enterVault(UNITS), 'deposit', 10n) }),
  ],
  [
    'a vault deposit without the reserves',
    'MissingReserveForBatchRefresh',
    'deposit',
    ({ plain }) => ({
      lender: plain,
      instructions: withAccounts(plain.enterVault(UNITS), 'deposit', (accounts) => accounts.slice(0, 13)),
    }),
  ],
  [
    'a vault deposit with two reserves swapped',
    'ReserveAccountAndKeyMismatch',
    'deposit',
    ({ plain }) => ({
      lender: plain,
      instructions: withAccounts(plain.enterVault(UNITS), 'deposit', (accounts) => [
        ...accounts.slice(0, 13),
        ...accounts.slice(13, 15).toReversed(),
        ...accounts.slice(15),
      ]),
    }),
  ],
  ['a vault withdrawal below the minimum', 'WithdrawAmountBelowMinimum', LEAVE, leaving(5n)],
  [
    'a vault withdrawal that its penalty consumes',
    'WithdrawAmountLessThanWithdrawalPenalty',
    LEAVE,
    leaving(1n),
  ],
];

/** Prices. These move the prices of the chain, so they come last. */
export const PRICE_DEMANDS: readonly Demand[] = [
  [
    'a withdrawal while the debt needs all collateral',
    'MaximumWithdrawValueZero',
    WITHDRAW,
    async (stage) => {
      const { localChain } = stage.client;
      const lender = await depositor(stage, 20, ['wBTC']);
      await lender.send(lender.build('borrow', 'USDC', null));
      const priceSf = localChain.world.reserves.find(({ token }) => token.symbol === 'wBTC')?.priceSf ?? 0n;
      localChain.setPrice('wBTC', (priceSf * 98n) / 100n);
      stage.client.advance(1);
      return { lender, instructions: lender.build('withdraw', 'wBTC', UNITS) };
    },
  ],
  [
    'a borrow at a stale price',
    'ReserveStale',
    BORROW,
    ({ client, plain }) => {
      const { world } = client.localChain;
      const { address } = world.oracle;
      // From now on nobody publishes prices: the account is bytes, which only a transaction changes.
      world.store.commit(new Map([[address, accountIn(client.localChain, address)]]));
      client.advance(STALE_SLOTS);
      return { lender: plain, instructions: plain.build('borrow', 'USDC', UNITS) };
    },
  ],
  [
    'a withdrawal at a stale price, in debt',
    'ReserveStale',
    WITHDRAW,
    ({ plain }) => ({ lender: plain, instructions: plain.build('withdraw', 'wBTC', 1_000n) }),
  ],
];
