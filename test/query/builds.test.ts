import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedApp, type TestEmbeddedApp } from '../support/apps/embedded-app.ts';
import { askApp } from '../support/apps/test-app.ts';

let gateway: TestEmbeddedApp;
beforeAll(async () => {
  gateway = await startEmbeddedApp();
});
afterAll(() => gateway?.app.stop());

interface Result {
  readonly __typename: string;
  readonly code?: string;
  readonly message?: string;
  readonly bundle?: {
    readonly instructions: readonly {
      readonly summary: string;
      readonly data: string;
      readonly programAddress: string;
      readonly accounts: readonly {
        readonly address: string;
        readonly role: string;
        readonly signer: { readonly address: string } | null;
        readonly label: string | null;
      }[];
    }[];
    readonly lookupTables: readonly { readonly address: string; readonly addresses: readonly string[] }[];
    readonly lutsByAddress: Readonly<Record<string, readonly string[]>>;
  };
  readonly transactions?: readonly {
    readonly base64: string;
    readonly sizeBytes: number;
    readonly sizeLimit: number;
    readonly tablesUsed: readonly string[];
    readonly bytesSavedByTables: number;
    readonly tableUses: readonly { readonly address: string; readonly bytesSaved: number }[];
    readonly lastValidBlockHeight: string;
  }[];
  readonly preview?: Readonly<
    Record<string, { readonly before: string | null; readonly after: string | null } | null>
  >;
  readonly warnings?: readonly { readonly level: string; readonly code: string; readonly message: string }[];
  readonly simulation?: {
    readonly success: boolean;
    readonly logs: readonly string[];
    readonly error: { readonly name: string; readonly message: string } | null;
  } | null;
}

const WHOLE = `__typename ... on BuildError { code message }
  ... on TransactionPlan {
    bundle { instructions { programAddress summary data accounts { address role label signer { address } } } lookupTables { address addresses } lutsByAddress }
    transactions { base64 sizeBytes sizeLimit tablesUsed tableUses { address bytesSaved } bytesSavedByTables lastValidBlockHeight }
    preview { healthFactor { before after } loanToValue { before after } netValueUsd { before after } tokens { before after } shares { before after } }
    warnings { level code message }
  }`;

const lending = (over: Record<string, unknown> = {}) => ({
  wallet: gateway.addresses.wallet,
  market: gateway.addresses.market,
  reserve: gateway.addresses.borrowReserve,
  amount: { tokens: '10' },
  ...over,
});

async function build(field: string, input: unknown, selection = WHOLE): Promise<Result> {
  const type = field.startsWith('buildLending')
    ? 'LendingActionInput'
    : `Vault${field.endsWith('Deposit') ? 'Deposit' : 'Withdraw'}Input`;
  const answer = await askApp<{ result: Result }>(
    gateway.app,
    `mutation ($input: ${type}!) { result: ${field}(input: $input) { ${selection} } }`,
    { variables: { input } },
  );
  expect(answer.errors).toEqual([]);
  return answer.data.result;
}

const number = (text: string | null | undefined) => Number(text);

describe('builders', () => {
  it.each([
    [
      'buildLendingDeposit',
      () => lending({ reserve: gateway.addresses.depositReserve, amount: { tokens: '1' } }),
      'tokens',
      1,
    ],
    ['buildLendingBorrow', () => lending(), 'tokens', 1],
    ['buildLendingRepay', () => lending(), 'tokens', -1],
    [
      'buildLendingWithdraw',
      () => lending({ reserve: gateway.addresses.depositReserve, amount: { tokens: '1' } }),
      'tokens',
      -1,
    ],
    [
      'buildVaultDeposit',
      () => ({ wallet: gateway.addresses.wallet, vault: gateway.addresses.vault, amount: { tokens: '10' } }),
      'shares',
      1,
    ],
    [
      'buildVaultWithdraw',
      () => ({ wallet: gateway.addresses.wallet, vault: gateway.addresses.vault, amount: { shares: '10' } }),
      'shares',
      -1,
    ],
  ] as const)(
    '%s answers with bundle, transaction, preview and warnings together',
    async (field, input, figure, direction) => {
      const result = await build(field, input());
      expect(result.__typename).toBe('TransactionPlan');
      const [transaction] = result.transactions ?? [];
      expect(transaction?.sizeBytes).toBeLessThanOrEqual(1232);
      expect(Buffer.from(transaction?.base64 ?? '', 'base64').length).toBe(transaction?.sizeBytes);
      expect(
        Buffer.from(transaction?.base64 ?? '', 'base64')
          .subarray(1, 65)
          .every((byte) => byte === 0),
      ).toBe(true);
      const uses = transaction?.tableUses ?? [];
      expect(uses.map(({ address }) => address)).toEqual(transaction?.tablesUsed);
      expect(uses.reduce((sum, { bytesSaved }) => sum + bytesSaved, 0)).toBe(transaction?.bytesSavedByTables);
      for (const { summary, accounts } of result.bundle?.instructions ?? []) {
        expect(summary.length).toBeGreaterThan(5);
        for (const account of accounts) {
          expect(account.label?.length).toBeGreaterThan(0);
          expect(account.signer?.address ?? null).toBe(
            account.role.endsWith('SIGNER') ? account.address : null,
          );
        }
      }
      for (const table of result.bundle?.lookupTables ?? [])
        expect(result.bundle?.lutsByAddress[table.address]).toEqual(table.addresses);
      const change = result.preview?.[figure];
      expect(Math.sign(number(change?.after) - number(change?.before))).toBe(direction);
      expect((result.warnings ?? []).filter(({ level }) => level === 'ERROR')).toEqual([]);
    },
  );

  it('borrowing lowers health, repaying raises it', async () => {
    const borrowed = (await build('buildLendingBorrow', lending())).preview?.healthFactor;
    const repaid = (await build('buildLendingRepay', lending())).preview?.healthFactor;
    expect(number(borrowed?.after)).toBeLessThan(number(borrowed?.before));
    expect(number(repaid?.after)).toBeGreaterThan(number(repaid?.before));
  });

  it('reads in one round, plus one request for a blockhash', async () => {
    gateway.rpc.requests.reset();
    await build(
      'buildLendingBorrow',
      lending(),
      '__typename ... on TransactionPlan { bundle { lutsByAddress } preview { healthFactor { after } } }',
    );
    expect(gateway.rpc.requests.callsByMethod).toEqual(new Map([['getMultipleAccounts', 1]]));
    gateway.rpc.requests.reset();
    await build(
      'buildLendingBorrow',
      lending(),
      '__typename ... on TransactionPlan { transactions { blockhash } }',
    );
    expect(gateway.rpc.requests.callsByMethod).toEqual(
      new Map([
        ['getMultipleAccounts', 1],
        ['getLatestBlockhash', 1],
      ]),
    );
  });

  it('simulates on the RPC; without an answer the other fields stay intact', async () => {
    const selection =
      '__typename ... on TransactionPlan { bundle { lutsByAddress } simulation { success logs error { name message } } }';
    const result = await build('buildLendingBorrow', lending(), selection);
    expect(result.simulation).toMatchObject({ success: true, error: null });
    expect(result.simulation?.logs).toContain('Program log: Instruction: BorrowObligationLiquidityV2');
    const undo = gateway.rpc.faults.add({
      method: 'simulateTransaction',
      rpcError: { code: -32601, message: 'no' },
    });
    const answer = await askApp<{ result: Result }>(
      gateway.app,
      `mutation ($input: LendingActionInput!) { result: buildLendingBorrow(input: $input) { ${selection} } }`,
      { variables: { input: lending() } },
    );
    undo();
    expect(answer.data.result.simulation).toBeNull();
    expect(answer.data.result.bundle?.lutsByAddress).toBeDefined();
    expect(answer.errors[0]).toMatchObject({
      path: ['result', 'simulation'],
      extensions: { code: 'RPC_REFUSED' },
    });
  });
});

describe('refusals', () => {
  const nobody = () => gateway.addresses.emptyWallet;
  it.each([
    [
      'buildVaultDeposit',
      'VaultNotFound',
      'KVAULT_NOT_FOUND',
      () => ({ wallet: nobody(), vault: gateway.addresses.market, amount: { tokens: '1' } }),
    ],
    [
      'buildLendingDeposit',
      'MarketNotFound',
      'KLEND_MARKET_NOT_FOUND',
      () => lending({ market: gateway.addresses.vault }),
    ],
    [
      'buildLendingDeposit',
      'ReserveNotFound',
      'KLEND_RESERVE_NOT_FOUND',
      () => lending({ reserve: gateway.addresses.vault }),
    ],
    [
      'buildLendingBorrow',
      'ObligationNotFound',
      'KLEND_OBLIGATION_NOT_FOUND',
      () => lending({ wallet: nobody() }),
    ],
    [
      'buildLendingRepay',
      'PositionNotFound',
      'KLEND_POSITION_NOT_FOUND',
      () => lending({ reserve: gateway.addresses.depositReserve, amount: { tokens: '1' } }),
    ],
    ['buildLendingWithdraw', 'PositionNotFound', 'KLEND_POSITION_NOT_FOUND', () => lending()],
    [
      'buildLendingDeposit',
      'InvalidAmount',
      'AMOUNT_NOT_POSITIVE',
      () => lending({ amount: { tokens: '0' } }),
    ],
    [
      'buildLendingDeposit',
      'InvalidAmount',
      'AMOUNT_TOO_MANY_DECIMALS',
      () => lending({ amount: { tokens: '0.00000000000001' } }),
    ],
    [
      'buildLendingDeposit',
      'AmountOverflow',
      'DECIMAL_TO_LAMPORTS_OVERFLOW',
      () => lending({ amount: { tokens: '99999999999999999999' } }),
    ],
    [
      'buildLendingBorrow',
      'BuildRefused',
      'BUILD_REFUSED',
      () => lending({ amount: { tokens: '100000000' }, options: { strict: true } }),
    ],
  ] as const)('%s answers %s (%s)', async (field, type, code, input) => {
    expect(await build(field, input(), '__typename ... on BuildError { code message }')).toMatchObject({
      __typename: type,
      code,
    });
  });

  it('a reserve of another market is refused', async () => {
    const { data } = await askApp<{ reserves: { nodes: { address: string; marketAddress: string }[] } }>(
      gateway.app,
      '{ reserves(first: 100) { nodes { address marketAddress } } }',
    );
    const other = data.reserves.nodes.find(({ marketAddress }) => marketAddress !== gateway.addresses.market);
    expect(
      await build(
        'buildLendingDeposit',
        lending({ reserve: other?.address }),
        '__typename ... on BuildError { code }',
      ),
    ).toMatchObject({
      __typename: 'ReserveNotInMarket',
      code: 'RESERVE_NOT_IN_MARKET',
    });
  });
});

describe('preview', () => {
  it('is the same as the builder\u2019s', async () => {
    const selection =
      'healthFactor { before after } loanToValue { before after } netValueUsd { before after } tokens { before after } shares { before after }';
    const answer = await askApp<{ preview: unknown }>(
      gateway.app,
      `query ($action: BuildAction!) { preview(action: $action) { ... on Preview { ${selection} } } }`,
      {
        variables: { action: { lendingBorrow: lending() } },
      },
    );
    expect(answer.errors).toEqual([]);
    const built = await build('buildLendingBorrow', lending());
    const figures = Object.entries(answer.data.preview as NonNullable<Result['preview']>);
    expect(figures.length).toBe(5);
    for (const [name, change] of figures) {
      const twin = built.preview?.[name] ?? null;
      expect(twin === null, name).toBe(change === null);
      // The chain may have moved by a slot between the two.
      if (change !== null)
        for (const side of ['before', 'after'] as const) {
          const [mine, theirs] = [number(change?.[side]), number(twin?.[side])];
          expect(Math.abs(mine - theirs), name).toBeLessThanOrEqual(Math.abs(theirs) * 0.001);
        }
    }
  });

  const refused = async (action: object) =>
    await askApp(
      gateway.app,
      'query ($action: BuildAction!) { preview(action: $action) { __typename ... on BuildError { code } } }',
      { variables: { action } },
    );

  it('rejects the same input as the builder', async () => {
    const { wallet, market } = gateway.addresses;
    const answer = await refused({ vaultWithdraw: { wallet, vault: market, amount: { all: 'ALL' } } });
    expect(answer.data).toEqual({ preview: { __typename: 'VaultNotFound', code: 'KVAULT_NOT_FOUND' } });
  });

  it('rejects options that cannot be applied', async () => {
    const { market, vault } = gateway.addresses;
    const stranger = { wallet: market, vault, amount: { all: 'ALL' } };
    const answer = await refused({ vaultDeposit: stranger });
    expect(answer.data).toEqual({ preview: { __typename: 'BuildRefused', code: 'BUILD_REFUSED' } });
  });
});
