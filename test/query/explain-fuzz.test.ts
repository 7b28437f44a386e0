import type { LocalnetRpc } from '@sluice/localnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveChain, unchangedChain } from '../../packages/localnet/test/support/chain/test-world.ts';
import { STILL, startReadyApp, type TestApp } from '../support/apps/test-app.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from '../support/fuzz/edge-fuzz.ts';

const QUERY = `query ($transaction: Base64!) {
  explainTransaction(transaction: $transaction) {
    __typename
    ... on InvalidTransaction { code }
    ... on TransactionExplanation {
      sizeBytes signers { address hasSigned } lifetime { kind nonceAccount } networkFeeLamports
      instructions { name summary accounts { address role name } arguments { name value } }
      unknown { programs writableAccounts }
      warnings { code message instructionIndex }
    }
  }
}`;

interface Answer {
  readonly explainTransaction:
    | { readonly __typename: 'InvalidTransaction'; readonly code: string }
    | {
        readonly __typename: 'TransactionExplanation';
        readonly sizeBytes: number;
        readonly instructions: readonly { readonly summary: string }[];
      };
}

let rpc: LocalnetRpc;
let gateway: TestApp;

beforeAll(async () => {
  rpc = await serveChain(unchangedChain());
  gateway = await startReadyApp({ rpcUrls: [rpc.url], env: { ...STILL, RATE_LIMIT: '0' } });
});

afterAll(async () => {
  await gateway?.stop();
  await rpc?.close();
});

describe('mutated transactions', () => {
  it(
    'are explained, or invalid with a code',
    () =>
      fuzz('transactions', async (bytes) => {
        const variables = { transaction: bytes.toString('base64') };
        const { data, errors } = await gateway.query<Answer>(QUERY, { variables });
        expect(errors).toEqual([]);
        const { explainTransaction } = data;
        if (explainTransaction.__typename === 'InvalidTransaction') {
          expect(['TRANSACTION_MALFORMED', 'TRANSACTION_TOO_LARGE']).toContain(explainTransaction.code);
          return;
        }
        expect(explainTransaction.sizeBytes).toBe(bytes.length);
        for (const { summary } of explainTransaction.instructions)
          expect(summary).not.toMatch(/undefined|NaN|\[object/);
      }),
    FUZZ_TIMEOUT_MS,
  );
});
