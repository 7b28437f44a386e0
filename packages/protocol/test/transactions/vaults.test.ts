import { stake, unstake, withdrawUnstakedDeposits } from '@sluice/protocol/farms/instructions';
import { harvestReward } from '@sluice/protocol/farms/reward-instructions';
import {
  vaultInvest,
  vaultInvestWithMaxAmount,
  vaultRedeemInKind,
} from '@sluice/protocol/kvault/allocation-instructions';
import {
  vaultBuy,
  vaultBuyWithMinSharesOut,
  vaultDeposit,
  vaultDepositWithMinSharesOut,
  vaultSell,
  vaultWithdraw,
  vaultWithdrawFromAvailable,
} from '@sluice/protocol/kvault/instructions';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  accountsOf,
  burns,
  foreign,
  LOOKUPS,
  mints,
  moves,
  type Nested,
  named,
  transactionOf,
} from '../support/transaction-maker.ts';

const { kvault, klend, farms } = MAINNET_PROGRAMS;
const read = createTransactionReader(MAINNET_PROGRAMS);
const [tokenVault, userToken, userShares] = [
  named('tokenVault'),
  named('userTokenAta'),
  named('userSharesAta'),
];
const sharesMint = named('sharesMint');
const NO_RESERVE_OR_COUNTERPARTY = { reserve: null, reserveTokens: 0n, counterparty: null };
const place = (index: number) => ({ signature: 'signature', slot: 7n, time: 1_000, index });

function deposit(
  tokens: bigint,
  shares: bigint,
  layout: typeof vaultDeposit | typeof vaultBuy = vaultDeposit,
): Nested {
  return {
    instruction: layout.encode(kvault, accountsOf(layout.accounts), { maxAmount: 999_999n }),
    calls: [
      // The vault program refreshes its reserves first.
      {
        instruction: {
          programAddress: klend,
          accounts: [],
          data: Uint8Array.from(Buffer.from('906e1a67a2ccfc9301', 'hex')),
        },
      },
      moves(userToken, tokenVault, tokens),
      mints(sharesMint, userShares, shares),
    ],
  };
}

const withdrawal = (shares: bigint, tokens: bigint): Nested => ({
  instruction: vaultWithdrawFromAvailable.encode(kvault, accountsOf(vaultWithdrawFromAvailable.accounts), {
    sharesAmount: (1n << 64n) - 1n,
  }),
  calls: [burns(sharesMint, userShares, shares), moves(tokenVault, userToken, tokens)],
});

const depositEvent = (tokens: bigint, shares: bigint, index: number) => ({
  kind: 'deposit',
  vault: named('vaultState'),
  wallet: named('user'),
  tokens,
  shares,
  instruction: 'deposit',
  ...NO_RESERVE_OR_COUNTERPARTY,
  ...place(index),
});

describe('vault deposits and withdrawals', () => {
  it('take their amounts from token movements, not from the arguments', () => {
    const { vaultEvents, problems } = read(transactionOf([deposit(1_000n, 900n)]), LOOKUPS);
    expect(vaultEvents).toEqual([depositEvent(1_000n, 900n, 0)]);
    expect(problems).toEqual([]);
  });

  it.each([vaultDepositWithMinSharesOut, vaultBuyWithMinSharesOut])('$name is a deposit', (layout) => {
    const args = { maxAmount: 999_999n, minSharesOut: 1n };
    const call = {
      instruction: layout.encode(kvault, accountsOf(layout.accounts), args),
      calls: [moves(userToken, tokenVault, 70n), mints(sharesMint, userShares, 60n)],
    };
    const { vaultEvents, problems } = read(transactionOf([call]), LOOKUPS);
    expect(vaultEvents).toEqual([{ ...depositEvent(70n, 60n, 0), instruction: layout.name }]);
    expect(problems).toEqual([]);
  });

  it('have separate amounts when one transaction contains several', () => {
    const { vaultEvents } = read(
      transactionOf([deposit(1_000n, 900n), withdrawal(100n, 110n), deposit(50n, 45n, vaultBuy)]),
      LOOKUPS,
    );
    expect(vaultEvents.map(({ kind, tokens, shares, index }) => [kind, tokens, shares, index])).toEqual([
      ['deposit', 1_000n, 900n, 0],
      ['withdraw', 110n, 100n, 1],
      ['deposit', 50n, 45n, 2],
    ]);
  });

  it('are found inside other programs at any depth', () => {
    const swap = moves(named('pool'), userToken, 1_000n);
    const inner = foreign('router', [swap, foreign('adapter', [deposit(1_000n, 900n)]), withdrawal(9n, 10n)]);
    const { vaultEvents, problems } = read(transactionOf([inner]), LOOKUPS);
    expect(vaultEvents.map(({ kind, tokens, shares }) => [kind, tokens, shares])).toEqual([
      ['deposit', 1_000n, 900n],
      ['withdraw', 10n, 9n],
    ]);
    expect(problems).toEqual([]);
  });

  it('are separated by order when the node reports no stack heights', () => {
    const inner = foreign('router', [deposit(1_000n, 900n), withdrawal(9n, 10n)]);
    for (const outer of [[inner], [deposit(1_000n, 900n), withdrawal(9n, 10n)]]) {
      const { vaultEvents } = read(transactionOf(outer, { heights: false }), LOOKUPS);
      expect(vaultEvents.map(({ tokens, shares }) => [tokens, shares])).toEqual([
        [1_000n, 900n],
        [10n, 9n],
      ]);
    }
  });

  it('name the reserve that a withdrawal took tokens from', () => {
    for (const layout of [vaultWithdraw, vaultSell]) {
      const call: Nested = {
        instruction: layout.encode(kvault, accountsOf(layout.accounts), { sharesAmount: 1n }),
        calls: [
          burns(sharesMint, userShares, 100n),
          {
            instruction: {
              programAddress: klend,
              accounts: [],
              data: Uint8Array.from(Buffer.from('ea75b57db98edc1d', 'hex')),
            },
            calls: [
              moves(named('reserveLiquiditySupply'), tokenVault, 60n),
              moves(named('reserveLiquiditySupply'), userToken, 10n),
            ],
          },
          moves(tokenVault, userToken, 100n),
        ],
      };
      const { vaultEvents, problems } = read(transactionOf([call]), LOOKUPS);
      expect(problems).toEqual([]);
      expect(vaultEvents).toEqual([
        expect.objectContaining({
          kind: 'withdraw',
          tokens: 110n,
          shares: 100n,
          reserve: named('reserve'),
          reserveTokens: -70n,
        }),
      ]);
    }
  });

  it('have no tokens when shares were redeemed in kind', () => {
    const layout = vaultRedeemInKind;
    const call: Nested = {
      instruction: layout.encode(kvault, accountsOf(layout.accounts), { sharesAmount: 5n }),
      calls: [
        burns(sharesMint, named('userSharesTa'), 5n),
        moves(named('ctokenVault'), named('userCtokenTa'), 4n),
      ],
    };
    expect(read(transactionOf([call]), LOOKUPS).vaultEvents).toEqual([
      expect.objectContaining({ kind: 'withdraw', tokens: null, shares: 5n }),
    ]);
  });
});

describe('investing', () => {
  it.each([
    ['into a reserve', tokenVault, named('reserveLiquiditySupply'), 40n],
    ['out of a reserve', named('reserveLiquiditySupply'), tokenVault, -40n],
  ] as const)('moves tokens %s', (_, source, destination, reserveTokens) => {
    const maxAmount = 40n;
    for (const [name, instruction] of [
      ['invest', vaultInvest.encode(kvault, accountsOf(vaultInvest.accounts), {})],
      [
        'investWithMaxAmount',
        vaultInvestWithMaxAmount.encode(kvault, accountsOf(vaultInvestWithMaxAmount.accounts), { maxAmount }),
      ],
    ] as const) {
      const call: Nested = { instruction, calls: [moves(source, destination, 40n)] };
      expect(read(transactionOf([call]), LOOKUPS).vaultEvents).toEqual([
        {
          kind: 'invest',
          vault: named('vaultState'),
          wallet: named('payer'),
          tokens: 40n,
          shares: 0n,
          reserve: named('reserve'),
          reserveTokens,
          counterparty: null,
          instruction: name,
          ...place(0),
        },
      ]);
    }
  });
});

describe('stakes', () => {
  const farm = { farmState: named('vaultFarm') };
  const staking = (given: typeof farm | Record<never, never>): Nested => ({
    instruction: stake.encode(farms, accountsOf(stake.accounts, given), { amount: (1n << 64n) - 1n }),
    calls: [moves(named('userAta'), named('farmVault'), 30n, sharesMint)],
  });

  it('move shares into the farm and back, and are no transfers', () => {
    const leaving: Nested[] = [
      {
        instruction: unstake.encode(farms, accountsOf(unstake.accounts, farm), {
          stakeSharesScaled: 12n * 10n ** 18n,
        }),
      },
      {
        instruction: withdrawUnstakedDeposits.encode(
          farms,
          accountsOf(withdrawUnstakedDeposits.accounts, farm),
          {},
        ),
        calls: [moves(named('farmVault'), named('userAta'), 12n, sharesMint)],
      },
    ];
    const { vaultEvents, problems } = read(transactionOf([staking(farm), ...leaving]), LOOKUPS);
    expect(problems).toEqual([]);
    expect(vaultEvents.map(({ kind, wallet, shares, tokens }) => [kind, wallet, shares, tokens])).toEqual([
      ['stake', named('owner'), 30n, null],
      ['unstake', named('owner'), 12n, null],
    ]);
  });

  it('may pay rewards in shares, which are transfers into the wallet', () => {
    const harvest = (rewardMint: Address): Nested => ({
      instruction: harvestReward.encode(farms, accountsOf(harvestReward.accounts, { rewardMint }), {
        rewardIndex: 0n,
      }),
      calls: [moves(named('rewardsVault'), named('userRewardTokenAccount'), 3n, rewardMint)],
    });
    const { vaultEvents, problems } = read(
      transactionOf([harvest(sharesMint), harvest(named('other reward'))]),
      LOOKUPS,
    );
    expect(problems).toEqual([]);
    expect(vaultEvents.map(({ kind, wallet, shares }) => [kind, wallet, shares])).toEqual([
      ['transferIn', named('payer'), 3n],
    ]);
  });

  it('are events of any farm', () => {
    const all = 2n ** 128n - 1n;
    const [half, everything] = [5n * 10n ** 18n, all].map((stakeSharesScaled) => ({
      instruction: unstake.encode(farms, accountsOf(unstake.accounts, {}), { stakeSharesScaled }),
    }));
    if (half === undefined || everything === undefined) throw new Error('nothing is unstaked');
    const leaving = {
      instruction: withdrawUnstakedDeposits.encode(
        farms,
        accountsOf(withdrawUnstakedDeposits.accounts, {}),
        {},
      ),
      calls: [moves(named('farmVault'), named('userAta'), 12n)],
    };
    const harvest = {
      instruction: harvestReward.encode(farms, accountsOf(harvestReward.accounts, {}), { rewardIndex: 0n }),
      calls: [moves(named('rewardsVault'), named('userRewardTokenAccount'), 7n)],
    };
    const { farmEvents, vaultEvents, problems } = read(
      transactionOf([staking({}), half, everything, leaving, harvest]),
      LOOKUPS,
    );
    expect([vaultEvents, problems]).toEqual([[], []]);
    expect(farmEvents.map(({ kind, index, amount, farm }) => [kind, index, amount, farm])).toEqual(
      (
        [
          ['stake', 0, 30n],
          ['unstake', 1, 5n],
          ['unstake', 2, null],
          ['withdraw', 3, 12n],
          ['harvest', 4, 7n],
        ] as const
      ).map((each) => [...each, named('farmState')]),
    );
    expect(farmEvents.map(({ mint }) => mint).slice(1, 3)).toEqual([null, null]);
    expect(farmEvents.at(-1)?.mint).toBe(named('rewardMint'));
  });
});

describe('transactions without events', () => {
  it('include failed ones', () => {
    expect(read(transactionOf([deposit(1n, 1n)], { failed: true }), LOOKUPS).vaultEvents).toEqual([]);
  });

  it('include unknown programs', () => {
    expect(read(transactionOf([foreign('other')]), LOOKUPS)).toEqual({
      vaultEvents: [],
      lendingEvents: [],
      farmEvents: [],
      allocationEvents: [],
      queueEvents: [],
      problems: [],
    });
  });

  it('report a truncated instruction as a problem and still read the others', () => {
    const whole = deposit(1_000n, 900n);
    const { programAddress, accounts, data } = whole.instruction;
    const damaged = [
      { instruction: { programAddress, accounts, data: data.subarray(0, 11) } },
      { instruction: { programAddress, accounts: accounts.slice(0, 4), data } },
    ];
    const { vaultEvents, problems } = read(transactionOf([...damaged, whole]), LOOKUPS);
    expect(vaultEvents).toEqual([depositEvent(1_000n, 900n, 0)]);
    expect(problems.map(({ kind }) => kind)).toEqual(['malformed', 'malformed']);
  });

  it('report an unknown platform instruction and one that moved nothing as problems', () => {
    const unknown = { programAddress: kvault, accounts: [], data: Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9) };
    const still = { instruction: deposit(0n, 0n).instruction };
    expect(read(transactionOf([{ instruction: unknown }, still]), LOOKUPS).problems).toEqual([
      { kind: 'unrecognised', program: kvault, discriminator: '0909090909090909' },
      { kind: 'nothingMoved', program: kvault, instruction: 'deposit' },
    ]);
  });

  it('never throw on corrupt token data', () => {
    const { instruction } = moves(userToken, tokenVault, 5n);
    const short = { instruction: { ...instruction, data: instruction.data.subarray(0, 4) } };
    const { vaultEvents } = read(
      transactionOf([
        { instruction: deposit(0n, 0n).instruction, calls: [short, mints(sharesMint, userShares, 3n)] },
      ]),
      LOOKUPS,
    );
    expect(vaultEvents).toEqual([expect.objectContaining({ tokens: 0n, shares: 3n })]);
  });
});
