import {
  addRewards,
  initializeReward,
  rewardUserOnce,
  updateFarmAdmin,
  updateFarmConfig,
  withdrawReward,
} from '@sluice/protocol/farms/management-instructions';
import { addressBytes } from '@sluice/protocol/layout/base58';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import { describe, expect, it } from 'vitest';
import {
  accountsOf,
  LOOKUPS,
  moves,
  type Nested,
  named,
  transactionOf,
} from '../support/transaction-maker.ts';

const { farms } = MAINNET_PROGRAMS;
const read = createTransactionReader(MAINNET_PROGRAMS);

function eventsOf(...calls: readonly Nested[]) {
  const { farmEvents, vaultEvents, problems } = read(transactionOf(calls), LOOKUPS);
  expect([vaultEvents, problems]).toEqual([[], []]);
  expect(farmEvents.map(({ kind, farm }) => [kind, farm])).toEqual(
    calls.map(() => ['manage', named('farmState')]),
  );
  return farmEvents;
}

const le = (bytes: number, value: bigint) =>
  Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 0xffn));

/** A change of a setting, with its value in bytes after the fixed arguments. */
function setting(mode: number, value: readonly number[], claimed = value.length): EncodedInstruction {
  const accounts = accountsOf(updateFarmConfig.accounts);
  const fixed = updateFarmConfig.encode(farms, accounts, { mode, dataLength: claimed });
  return { ...fixed, data: Uint8Array.from([...fixed.data, ...value]) };
}

const settingOf = (...args: Parameters<typeof setting>) => {
  const [event] = eventsOf({ instruction: setting(...args) });
  expect(event).toMatchObject({ wallet: named('signer'), mint: null, amount: null });
  return event?.management;
};

describe('settings of a farm', () => {
  it('have the name and value that the program gives them', () => {
    expect(settingOf(3, le(4, 3_600n))).toEqual({
      instruction: 'updateFarmConfig',
      rewardIndex: null,
      configMode: 'DepositWarmupPeriod',
      details: { mode: 3, value: 3_600 },
    });
    expect(settingOf(0, [...le(8, 2n), ...le(8, 5_000_000_000n)])).toEqual({
      instruction: 'updateFarmConfig',
      rewardIndex: 2,
      configMode: 'UpdateRewardRps',
      details: { mode: 0, rewardIndex: 2, value: '5000000000' },
    });
    expect(settingOf(17, [...addressBytes(named('next admin'))])).toMatchObject({
      configMode: 'UpdatePendingFarmAdmin',
      details: { value: named('next admin') },
    });
    expect(settingOf(24, [1])).toMatchObject({
      configMode: 'UpdateIsHarvestingPermissionless',
      details: { value: true },
    });
  });

  it('have the points of a reward schedule', () => {
    const points = [...le(4, 2n), ...[100n, 7n, 200n, 0n].flatMap((each) => le(8, each))];
    expect(settingOf(16, [...le(8, 1n), ...points])).toMatchObject({
      rewardIndex: 1,
      configMode: 'UpdateRewardScheduleCurvePoints',
      details: {
        value: [
          { tsStart: '100', rewardPerTimeUnit: '7' },
          { tsStart: '200', rewardPerTimeUnit: '0' },
        ],
      },
    });
  });

  it('are in hex where they are unknown or cut', () => {
    expect(settingOf(99, [1, 255])).toMatchObject({ configMode: null, details: { mode: 99, value: '01ff' } });
    expect(settingOf(16, [...le(8, 1n), ...le(4, 9n)])).toMatchObject({
      configMode: 'UpdateRewardScheduleCurvePoints',
      rewardIndex: null,
      details: { value: '010000000000000009000000' },
    });
    expect(settingOf(2, [1, 2], 200)).toMatchObject({
      configMode: 'WithdrawAuthority',
      details: { value: '0102' },
    });
  });
});

describe('rewards of a farm', () => {
  it('are added and withdrawn with the tokens that moved', () => {
    const args = { amount: 900n, rewardIndex: 3n };
    const added = {
      instruction: addRewards.encode(farms, accountsOf(addRewards.accounts), args),
      calls: [moves(named('payerRewardTokenAta'), named('rewardVault'), 800n)],
    };
    const withdrawn = {
      instruction: withdrawReward.encode(farms, accountsOf(withdrawReward.accounts), args),
      calls: [moves(named('rewardVault'), named('adminRewardTokenAta'), 700n)],
    };
    const details = { amount: '900', rewardIndex: 3 };
    expect(eventsOf(added, withdrawn)).toMatchObject([
      {
        wallet: named('payer'),
        mint: named('rewardMint'),
        amount: 800n,
        management: { instruction: 'addRewards', rewardIndex: 3, configMode: null, details },
      },
      { wallet: named('farmAdmin'), amount: 700n, management: { instruction: 'withdrawReward', details } },
    ]);
  });

  it('are set up, and credited to one stake without a transfer', () => {
    const setUp = initializeReward.encode(farms, accountsOf(initializeReward.accounts), {});
    const args = { rewardIndex: 1n, amount: 60n, expectedRewardIssuedUnclaimed: 5n };
    const credited = rewardUserOnce.encode(farms, accountsOf(rewardUserOnce.accounts), args);
    const admin = updateFarmAdmin.encode(farms, accountsOf(updateFarmAdmin.accounts), {});
    expect(eventsOf({ instruction: setUp }, { instruction: credited }, { instruction: admin })).toMatchObject(
      [
        { mint: named('rewardMint'), amount: null, management: { rewardIndex: null, details: {} } },
        {
          wallet: named('delegateAuthority'),
          mint: null,
          amount: 60n,
          management: {
            rewardIndex: 1,
            details: { amount: '60', expectedRewardIssuedUnclaimed: '5', userState: named('userState') },
          },
        },
        { wallet: named('pendingFarmAdmin'), management: { instruction: 'updateFarmAdmin', details: {} } },
      ],
    );
  });
});
