import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DemoRpcServer } from '../../src/demo/rpc/server.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { serveLedger, type UnchangedLedger, unchangedLedger } from '../support/ledger/test-ledger.ts';

let ledger: UnchangedLedger;
let rpc: DemoRpcServer;
let gateway: TestApp;

beforeAll(async () => {
  ledger = unchangedLedger();
  rpc = await serveLedger(ledger);
  gateway = await startReadyApp({ rpcUrls: [rpc.url], env: STILL });
});
afterAll(async () => {
  await gateway?.stop();
  await rpc?.close();
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

const { lending, vault } = {
  lending: (reserve: 'depositReserve' | 'borrowReserve') => ({
    wallet: ledger.addresses.wallet,
    market: ledger.addresses.market,
    reserve: ledger.addresses[reserve],
  }),
  vault: () => ({ wallet: ledger.addresses.wallet, vault: ledger.addresses.vault }),
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
  ] as const)('of %s is the same in REST and GraphQL (%s)', async (path, field, type, who, amount, unit) => {
    const { vault: kvault, ...rest } = { vault: undefined, ...who() };
    const body = { ...rest, ...(kvault === undefined ? {} : { kvault }), amount };
    const response = await gateway.app.fetch(
      new Request(`http://sluice.test/ktx/${path}-instructions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
    expect(response.status).toBe(200);
    const input = { ...who(), amount: unit === 'all' ? { all: 'ALL' } : { [unit]: amount } };
    const answer = await gateway.query<{ result: { bundle: Bundle } }>(
      `mutation ($input: ${type}!) { result: ${field}(input: $input) { ${BUNDLE} } }`,
      { variables: { input } },
    );
    expect(answer.errors).toEqual([]);
    expect(await response.json()).toEqual(restShape(answer.data.result.bundle));
  });
});
