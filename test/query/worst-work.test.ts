import type { Address } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type WorstCast, type WorstDocument, worstDocuments } from '../../bench/abuse/worst-documents.ts';
import { type ActingApp, startActingApp } from '../support/apps/acting-app.ts';
import { loansOf } from '../support/lending/liquidation-trial.ts';
import { viewLookups } from '../support/limits/view-lookups.ts';

let acting: ActingApp;
let documents: readonly WorstDocument[];
beforeAll(async () => {
  // Work is counted, however long a busy machine takes for it.
  acting = await startActingApp({ env: { REQUEST_TIMEOUT_MS: '120000' } });
  documents = worstDocuments(await cast());
}, 120_000);
afterAll(() => acting?.stop());

interface Positions {
  readonly address: Address;
  readonly healthFactor: string | null;
  readonly deposits: readonly { readonly reserveAddress: Address }[];
  readonly borrows: readonly { readonly reserveAddress: Address }[];
}

async function cast(): Promise<WorstCast> {
  const { market } = acting.localnet.addresses;
  const loans = loansOf(acting.localnet.chain, market);
  const { data } = await acting.gateway.query<{
    market: { reserves: readonly { token: { mint: Address } }[] };
    obligations: { nodes: readonly Positions[] };
  }>(
    `query ($market: Address!, $loans: [Address!]!) {
      market(address: $market) { reserves { token { mint } } }
      obligations(scope: { addresses: $loans }, first: 100) {
        nodes { address healthFactor deposits { reserveAddress } borrows { reserveAddress } }
      }
    }`,
    { variables: { market, loans: loans.slice(0, 100) } },
  );
  const positions = ({ deposits, borrows }: Positions) => deposits.length * borrows.length;
  const [most] = data.obligations.nodes
    .filter(({ healthFactor }) => Number(healthFactor) > 1.1)
    .sort((a, b) => positions(b) - positions(a));
  if (most === undefined) throw new Error('the market has no loans');
  return {
    market,
    loans: loans.length,
    mints: data.market.reserves.map(({ token }) => token.mint),
    obligation: most.address,
    debts: most.borrows.map(({ reserveAddress }) => reserveAddress),
    deposits: most.deposits.map(({ reserveAddress }) => reserveAddress),
    health: Number(most.healthFactor),
  };
}

describe('a permitted document', () => {
  const NAMES = worstDocuments({
    market: '' as Address,
    loans: 0,
    mints: [],
    obligation: '' as Address,
    debts: [],
    deposits: [],
    health: 1,
  }).map(({ name }) => name);

  it.each(NAMES)(
    'of %s draws what it is worth, and gives way while it prepares',
    async (name) => {
      const document = documents.find((each) => each.name === name) ?? expect.fail(name);
      const view = acting.gateway.app.chain.views.newest ?? expect.fail('no View');
      const counted = viewLookups(view);
      onTestFinished(counted.restore);
      const { errors, extensions } = await acting.gateway.query(document.query, {
        variables: document.variables,
      });
      expect(errors).toEqual([]);
      const { work } = (extensions as unknown as { cost: { work: number } }).cost;
      expect(work).toBeGreaterThanOrEqual(document.leastWork);
      expect(work).toBeLessThanOrEqual(document.mostWork);
      expect(counted.all).toBeGreaterThan(0);
      expect(counted.most).toBeLessThanOrEqual(document.mostLookups);
    },
    120_000,
  );
});
