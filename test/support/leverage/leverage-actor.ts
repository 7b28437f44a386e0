import {
  type Address,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  partiallySignTransaction,
} from '@solana/kit';
import { expect } from 'vitest';
import { decodeTransaction } from '../../../docs/signing/with-kit.ts';
import type { ActingApp, Landed } from '../apps/acting-app.ts';

interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

export interface LeveragePlan {
  readonly transactions: readonly { readonly base64: string; readonly signers: readonly Address[] }[];
  readonly bundle: { readonly instructions: readonly { readonly summary: string; readonly data: string }[] };
  readonly simulation: {
    readonly success: boolean;
    readonly logs: readonly string[];
    readonly error: { readonly name: string | null } | null;
  };
  readonly preview: {
    readonly tokens: Change;
    readonly debtTokens: Change;
    readonly healthFactor: Change;
    readonly loanToValue: Change;
    readonly leverage: Change;
    readonly netApy: Change;
    readonly liquidationPriceUsd: Change;
    readonly netValueUsd: Change;
    readonly supplyInterestApy: Change;
    readonly borrowInterestApy: Change;
    readonly positions: readonly {
      readonly reserve: Address;
      readonly side: string;
      readonly tokens: Change;
      readonly liquidationPriceUsd: Change;
    }[];
    readonly fees: readonly { readonly kind: string; readonly amount: { readonly baseUnits: string } }[];
    readonly warnings: readonly { readonly level: string; readonly code: string; readonly message: string }[];
    readonly quote: {
      readonly router: Address;
      readonly sold: { readonly baseUnits: string };
      readonly expected: { readonly baseUnits: string };
      readonly guaranteed: { readonly baseUnits: string };
      readonly slippage: string;
      readonly priceImpact: string;
    } | null;
    readonly worstCase: {
      readonly healthFactor: string | null;
      readonly leverage: string;
      readonly netApy: string | null;
      readonly swapLossUsd: string;
      readonly walletChanges: readonly { readonly baseUnits: string }[];
    };
  };
}

export interface LeverageRefusal {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly instruction?: number | null;
}

export type LeverageAction =
  | 'Multiply'
  | 'Deleverage'
  | 'RepayWithCollateral'
  | 'SwapDebt'
  | 'SwapCollateral';

const CHANGES = `tokens debtTokens healthFactor loanToValue leverage netApy liquidationPriceUsd netValueUsd
  supplyInterestApy borrowInterestApy`
  .split(/\s+/)
  .map((name) => `${name} { before after }`)
  .join(' ');

const RESULT = `
  __typename
  ... on BuildError { code message }
  ... on SwapRefused { instruction }
  ... on TransactionPlan {
    transactions { base64 signers }
    bundle { instructions { summary data } }
    simulation { success logs error { name } }
    preview {
      ${CHANGES}
      positions { reserve side tokens { before after } liquidationPriceUsd { before after } }
      fees { kind amount { baseUnits } }
      warnings { level code message }
      quote { router sold { baseUnits } expected { baseUnits } guaranteed { baseUnits } slippage priceImpact }
      worstCase { healthFactor leverage netApy swapLossUsd walletChanges { baseUnits } }
    }
  }`;

/** Answer of the builder: a plan or a refusal. */
export async function buildLeverage(
  { gateway }: ActingApp,
  action: LeverageAction,
  input: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<LeveragePlan & Partial<LeverageRefusal>> {
  const { data, errors } = await gateway.query<{ plan: LeveragePlan & LeverageRefusal }>(
    `mutation ($input: ${action}Input!) { plan: build${action}(input: $input) { ${RESULT} } }`,
    { variables: { input }, headers },
  );
  expect(errors).toEqual([]);
  return data.plan;
}

/** Signs with the maker and the wallet, and sends. */
export async function sendSigned(
  world: ActingApp,
  base64: string | undefined,
  wallet: KeyPairSigner,
  ...others: readonly KeyPairSigner[]
): Promise<Landed> {
  const keys = others.map(({ keyPair }) => keyPair);
  const signed = await partiallySignTransaction(keys, decodeTransaction(base64 ?? ''));
  return await world.send('RPC', getBase64EncodedWireTransaction(signed), wallet);
}
