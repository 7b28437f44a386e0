import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type UnchangedChain,
  unchangedChain,
} from '../../packages/localnet/test/support/chain/test-world.ts';
import { testApp } from '../support/apps/chain-app.ts';
import type { TestApp } from '../support/apps/test-app.ts';

let localChain: UnchangedChain;
let gateway: TestApp;

beforeAll(async () => {
  localChain = unchangedChain();
  gateway = await testApp({ chain: localChain, frozen: true });
});
afterAll(async () => {
  await gateway?.stop();
});

interface Bundle {
  readonly instructions: readonly {
    readonly programAddress: string;
    readonly data: string;
    readonly accounts: readonly {
      readonly address: string;
      readonly role: string;
      readonly signer?: unknown;
    }[];
  }[];
  readonly lutsByAddress: Readonly<Record<string, readonly string[]>>;
}

const BUNDLE =
  '... on TransactionPlan { bundle { instructions { programAddress data accounts { address role signer { address } } } lutsByAddress } }';

/** The graph's bundle as REST writes it: a signer that is null there is an absent key here. */
function restShape({ instructions, lutsByAddress }: Bundle): Bundle {
  return {
    instructions: instructions.map(({ accounts, ...rest }) => ({
      ...rest,
      accounts: accounts.map(({ signer, ...account }) =>
        signer === null ? account : { ...account, signer },
      ),
    })),
    lutsByAddress,
  };
}

async function restBundle(path: string, body: object): Promise<unknown> {
  const response = await gateway.app.fetch(
    new Request(`http://sluice.test/ktx/${path}-instructions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  const answer: unknown = await response.json();
  expect([response.status, answer]).toEqual([200, expect.anything()]);
  return answer;
}

async function graphBundle(field: string, type: string, input: object): Promise<Bundle> {
  const answer = await gateway.query<{ result: { bundle: Bundle } }>(
    `mutation ($input: ${type}!) { result: ${field}(input: $input) { ${BUNDLE} } }`,
    { variables: { input } },
  );
  expect(answer.errors).toEqual([]);
  return restShape(answer.data.result.bundle);
}

const { lending, vault } = {
  lending: (reserve: 'depositReserve' | 'borrowReserve') => ({
    wallet: localChain.addresses.wallet,
    market: localChain.addresses.market,
    reserve: localChain.addresses[reserve],
  }),
  vault: () => ({ wallet: localChain.addresses.wallet, vault: localChain.addresses.vault }),
};

describe('a bundle', () => {
  it.each([
    [
      'klend/deposit',
      'buildLendingDeposit',
      'LendingActionInput',
      () => lending('depositReserve'),
      '0.5',
      'tokens',
    ],
    [
      'klend/borrow',
      'buildLendingBorrow',
      'LendingActionInput',
      () => lending('borrowReserve'),
      '12.5',
      'tokens',
    ],
    [
      'klend/repay',
      'buildLendingRepay',
      'LendingActionInput',
      () => lending('borrowReserve'),
      'U64::MAX',
      'all',
    ],
    [
      'klend/withdraw',
      'buildLendingWithdraw',
      'LendingActionInput',
      () => lending('depositReserve'),
      '1.25',
      'tokens',
    ],
    ['kvault/deposit', 'buildVaultDeposit', 'VaultDepositInput', vault, '100', 'tokens'],
    ['kvault/withdraw', 'buildVaultWithdraw', 'VaultWithdrawInput', vault, '7.5', 'shares'],
    ['kvault/withdraw', 'buildVaultWithdraw', 'VaultWithdrawInput', vault, '18446744073709551615', 'all'],
    ['kvault/stake', 'buildStakeShares', 'ShareStakingInput', vault, '7.5', 'shares'],
    ['kvault/unstake', 'buildUnstakeShares', 'ShareStakingInput', vault, '7.5', 'shares'],
    ['kvault/unstake', 'buildUnstakeShares', 'ShareStakingInput', vault, 'U64::MAX', 'all'],
  ] as const)('of %s is the same in REST and GraphQL (%s)', async (path, field, type, who, amount, unit) => {
    const { vault: kvault, ...rest } = { vault: undefined, ...who() };
    const body = { ...rest, ...(kvault === undefined ? {} : { kvault }), amount };
    const input = { ...who(), amount: unit === 'all' ? { all: 'ALL' } : { [unit]: amount } };
    expect(await restBundle(path, body)).toEqual(await graphBundle(field, type, input));
  });

  it.each([
    [
      'farms/claim',
      'buildClaimRewards',
      'ClaimRewardsInput',
      () => ({ wallet: localChain.addresses.wallet, farms: [localChain.addresses.farm] }),
    ],
    [
      'farms/claim',
      'buildClaimRewards',
      'ClaimRewardsInput',
      () => ({ wallet: localChain.addresses.wallet }),
    ],
    [
      'klend/request-elevation-group',
      'buildRequestElevationGroup',
      'RequestElevationGroupInput',
      () => ({ wallet: localChain.addresses.wallet, market: localChain.addresses.market, group: 1 }),
    ],
  ] as const)('of %s is the same in REST and GraphQL (%s), %#', async (path, field, type, input) => {
    expect(await restBundle(path, input())).toEqual(await graphBundle(field, type, input()));
  });

  it('of klend/liquidate is the same in REST and GraphQL', async () => {
    const { wallet, obligation, borrowReserve, depositReserve } = localChain.addresses;
    const what = { wallet, obligation, repayReserve: borrowReserve, withdrawReserve: depositReserve };
    const rest = await restBundle('klend/liquidate', { ...what, amount: '2.5', minCollateral: '0.5' });
    const input = { ...what, amount: { tokens: '2.5' }, minCollateral: '0.5' };
    expect(rest).toEqual(await graphBundle('buildLiquidate', 'LiquidateInput', input));
  });
});
