import type { Address } from '@solana/kit';
import { type Ask, GraphError, whole } from './gateway.ts';

/** A builder mutation and its input. */
export interface BuildRequest {
  readonly mutation: string;
  /** Name of the input type. */
  readonly inputType: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Simulation {
  readonly success: boolean;
  readonly unitsConsumed: number | null;
  readonly suggestedUnitLimit: number | null;
  readonly logs: readonly string[];
  readonly error: {
    readonly name: string | null;
    readonly code: number | null;
    readonly message: string;
  } | null;
}

export interface Warning {
  readonly level: string;
  readonly code: string;
  readonly message: string;
}

export interface UnsignedTransaction {
  readonly base64: string;
  readonly sizeBytes: number;
  readonly lastValidBlockHeight: bigint;
}

export interface Built {
  /** Descriptions of the instructions, in order. */
  readonly summaries: readonly string[];
  readonly warnings: readonly Warning[];
  readonly transactions: readonly UnsignedTransaction[];
  readonly preview: PreviewAnswer;
}

interface Change {
  readonly after: string | null;
}

export interface Amount {
  readonly amount: string;
  readonly token: { readonly mint: Address };
}

/** The figures of a preview that are read back. Null where they do not apply. */
export interface PreviewAnswer {
  readonly tokens: Change | null;
  readonly debtTokens: Change | null;
  readonly shares: Change | null;
  readonly stakedShares: Change | null;
  readonly unstakedShares: Change | null;
  readonly positions: readonly {
    readonly reserve: Address;
    readonly side: 'DEPOSIT' | 'DEBT';
    readonly tokens: Change;
  }[];
  readonly healthFactor: Change | null;
  readonly elevationGroup: Change | null;
  readonly withdrawQueue: { readonly ticket: Address; readonly collateral: Change } | null;
  readonly order: { readonly index: number; readonly after: string | null } | null;
  readonly borrowOrder: { readonly after: string | null } | null;
  readonly ownership: { readonly after: { readonly newOwner: Address } | null } | null;
  readonly rollover: { readonly after: RolloverTerms } | null;
  readonly vault: {
    readonly allocations: readonly {
      readonly reserve: Address;
      readonly tokens: Change;
      readonly weight: Change;
    }[];
    readonly pendingFees: Change;
    readonly paid: Amount | null;
    readonly received: Amount | null;
    readonly settings: readonly { readonly setting: string; readonly after: string | null }[];
  } | null;
  readonly rewards: readonly { readonly amount: Amount }[];
  readonly referralFees: readonly { readonly amount: Amount }[];
  readonly referrer: { readonly referrer: Address; readonly reserves: readonly Address[] } | null;
}

/** Terms on which anyone may roll a debt over. */
export interface RolloverTerms {
  readonly enabled: boolean;
  readonly maxBorrowRateBps: string;
  readonly minTermSeconds: string;
  readonly openTermAllowed: boolean;
}

interface Plan {
  readonly __typename: 'TransactionPlan';
  readonly bundle: { readonly instructions: readonly { readonly summary: string }[] };
  readonly warnings: readonly Warning[];
  readonly transactions: readonly {
    readonly base64: string;
    readonly sizeBytes: number;
    readonly lastValidBlockHeight: string | null;
  }[];
  readonly preview: PreviewAnswer;
}

interface Refusal {
  readonly __typename: 'Refusal';
  readonly code: string;
  readonly message: string;
}

const PLAN = `bundle { instructions { summary } }
  warnings { level code message }
  transactions { base64 sizeBytes lastValidBlockHeight }
  preview {
    tokens { after } debtTokens { after } shares { after } stakedShares { after } unstakedShares { after }
    positions { reserve side tokens { after } }
    healthFactor { after } elevationGroup { after }
    withdrawQueue { ticket collateral { after } }
    order { index after }
    borrowOrder { after }
    ownership { after { newOwner } }
    rollover { after { enabled maxBorrowRateBps minTermSeconds openTermAllowed } }
    vault {
      allocations { reserve tokens { after } weight { after } }
      pendingFees { after } paid { amount token { mint } } received { amount token { mint } }
      settings { setting after }
    }
    rewards { amount { amount token { mint } } }
    referralFees { amount { amount token { mint } } }
    referrer { referrer reserves }
  }`;

const SIMULATION = 'simulation { success unitsConsumed suggestedUnitLimit logs error { name code message } }';

const documentOf = ({ mutation, inputType }: BuildRequest, fields: string) =>
  `mutation Build($input: ${inputType}!) {
  built: ${mutation}(input: $input) { __typename ... on BuildError { code message } ... on TransactionPlan { ${fields} } }
}`;

async function planOf<T extends object>(ask: Ask, request: BuildRequest, fields: string): Promise<T> {
  const { built } = whole(
    await ask<{ built: T | Refusal }>(documentOf(request, fields), { input: request.input }),
  );
  if ('code' in built) throw new GraphError(built.code, built.message);
  return built;
}

/** Builds the action, with a compute-unit limit if one is given. */
export async function build(ask: Ask, request: BuildRequest, computeUnitLimit?: number): Promise<Built> {
  const input =
    computeUnitLimit === undefined ? request.input : { ...request.input, options: { computeUnitLimit } };
  const plan = await planOf<Plan>(ask, { ...request, input }, PLAN);
  return {
    summaries: plan.bundle.instructions.map(({ summary }) => summary),
    warnings: plan.warnings,
    transactions: plan.transactions.map(({ lastValidBlockHeight, ...each }) => ({
      ...each,
      lastValidBlockHeight: BigInt(lastValidBlockHeight ?? 0),
    })),
    preview: plan.preview,
  };
}

/** Simulates the action on the cluster, unsigned. Throws when the cluster does not simulate it. */
export async function simulate(ask: Ask, request: BuildRequest): Promise<Simulation> {
  const { simulation } = await planOf<{ simulation: Simulation | null }>(ask, request, SIMULATION);
  if (simulation === null) throw new GraphError('ERROR', 'The gateway returned no simulation.');
  return simulation;
}
