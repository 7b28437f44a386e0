import { labelledAddress } from '@sluice/localnet/world/prng';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors/codes.ts';
import { schema } from '../../../src/graphql/schema.ts';
import { OPERATIONS } from '../../../src/rest/operation-table.ts';
import { ask } from '../contract/contract-app.ts';
import { CONTRACT_KEY } from '../contract/contract-key.ts';
import { answerProblems } from '../contract/openapi-validator.ts';
import { askOf } from '../contract/parameters.ts';
import type { AccountSet } from './account-sets.ts';
import { everyFieldBelow, type Literals } from './every-field.ts';
import { type SetGateway, startSetGateway } from './set-gateway.ts';
import { type SetSubjects, subjectsOfSet } from './set-subjects.ts';

/** Everything but the builders. */
const READS = OPERATIONS.filter(({ path }) => !path.startsWith('/ktx/'));
/** Read from the database and for the owner of a key; no account of the chain is behind them. */
const OF_THE_CALLER = ['alerts'];
const ROOTS = Object.keys(schema.getQueryType()?.getFields() ?? {}).filter(
  (root) => !OF_THE_CALLER.includes(root),
);

/** The only codes with which a read may fail: an account is not in the set, and so its curator is not. */
const ABSENT: readonly ErrorCode[] = ['ACCOUNT_NOT_FOUND', 'CURATOR_NOT_FOUND'];

export interface ReadSuite {
  readonly name: string;
  /** Null when the accounts are absent, which the name says. */
  readonly open: (() => Promise<AccountSet>) | null;
  /** Types of which the answers must contain objects. */
  readonly reaches: readonly string[];
}

/**
 * Asks every read operation of both APIs about the accounts of a set. Answers must have the documented shape; a failure
 * must have the code for an absent account.
 */
export function describeReads({ name, open, reaches }: ReadSuite): void {
  describe.skipIf(open === null)(name, () => {
    const seen = new Set<string>();
    let started: SetGateway;
    let subjects: SetSubjects;
    let transaction: string;

    beforeAll(async () => {
      if (open === null) return;
      const set = await open();
      subjects = subjectsOfSet(set);
      started = await startSetGateway(set);
      transaction = await builtTransaction(started, subjects);
    });
    afterAll(() => started?.stop());

    it.each(READS.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
      '%s',
      async (_, operation) => {
        const given = await ask(started.gateway, askOf(operation, operation.example(subjects.addresses)));
        const body = given.body ?? given.text;
        expect(answerProblems(operation.method, operation.path, given.status, body)).toEqual([]);
        if (given.status !== 200) expect(ABSENT).toContain(given.headers.get('x-error-code'));
        if (subjects.hasVault) expect(given.status).toBe(200);
      },
    );

    it.each(ROOTS)('query { %s } with every field below it', async (root) => {
      const query = everyFieldBelow(schema, root, literalsFor(subjects, transaction));
      const headers = { 'x-api-key': CONTRACT_KEY };
      const { status, data, errors } = await started.gateway.query(query, { headers });
      expect(status).toBe(200);
      expect(errors.filter(({ extensions }) => !ABSENT.includes(extensions?.code as ErrorCode))).toEqual([]);
      for (const type of typenamesIn(data)) seen.add(type);
    });

    it('the answers contain objects of the expected types', () => {
      expect(reaches.filter((type) => !seen.has(type))).toEqual([]);
    });
  });
}

/** The first deposit of a wallet, built by the gateway from the accounts of the set. */
async function builtTransaction({ gateway }: SetGateway, { addresses }: SetSubjects): Promise<string> {
  const { market, depositReserve: reserve } = addresses;
  const body = { wallet: labelledAddress('nobody', 1), market, reserve, amount: '1' };
  const given = await ask(gateway, { url: '/ktx/klend/deposit', body });
  expect(given.text).toContain('"transaction"');
  return (given.body as { readonly transaction: string }).transaction;
}

function literalsFor({ addresses }: SetSubjects, transaction: string): Literals {
  const {
    wallet,
    market,
    depositReserve: reserve,
    borrowReserve,
    obligation,
    tokenMint,
    vault,
    farm,
  } = addresses;
  const quoted = (text: string) => JSON.stringify(text);
  const id = (type: string, address: string) => quoted(Buffer.from(`${type}:${address}`).toString('base64'));
  const places: Readonly<Record<string, string>> = {
    'Query.market.address': quoted(market),
    'Query.reserve.address': quoted(reserve),
    'Query.vault.address': quoted(vault),
    'Query.obligation.address': quoted(obligation),
    'Query.curator.address': quoted(addresses.vaultAdmin),
    'Query.wallet.address': quoted(wallet),
    'Query.explainTransaction.transaction': quoted(transaction),
    'Query.transaction.signature': quoted('1'.repeat(64)),
    'Query.lendingRewardHistory.depositReserve': quoted(reserve),
    'Query.lookupTables.covering': `[${quoted(vault)}, ${quoted(market)}, ${quoted(farm)}]`,
    'Query.node.id': id('Reserve', reserve),
    'Query.nodes.ids': `[${[id('Market', market), id('Token', tokenMint), id('Vault', vault), id('Obligation', obligation)].join(', ')}]`,
    'Query.obligations.scope': `{ owner: ${quoted(wallet)} }`,
    'Vault.plan.targets': '[]',
    'Obligation.toReach.healthFactor': quoted('2'),
    'Obligation.toReachWithCollateral.healthFactor': quoted('2'),
    'Vault.backtest.weights': '[]',
    'Market.transactions.instruction': quoted('borrowObligationLiquidityV2'),
    'Query.vaultTransactions.instruction': quoted('buy'),
    'Market.risk.shocks': `[{ label: "fall", prices: [] }]`,
  };
  const names: Readonly<Record<string, string>> = {
    wallet,
    reserve,
    repayReserve: borrowReserve,
    withdrawReserve: reserve,
    vault,
    mint: tokenMint,
    rewardMint: tokenMint,
  };
  return (place, name, type) => {
    if (type === 'BuildAction') {
      const parts = Object.entries({ wallet, market, reserve }).map(([key, at]) => `${key}: ${quoted(at)}`);
      return `{ lendingDeposit: { ${parts.join(', ')}, amount: { tokens: "1" } } }`;
    }
    const named = names[name];
    return places[place] ?? (named === undefined ? undefined : quoted(named));
  };
}

function* typenamesIn(value: unknown): Iterable<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__typename') yield String(inner);
    else yield* typenamesIn(inner);
  }
}
