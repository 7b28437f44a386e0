import { type Address, getAddressEncoder, type KeyPairSigner } from '@solana/kit';
import { expect } from 'vitest';
import type { ActingApp, Landed } from '../apps/acting-app.ts';
import { EFFECTS, type Effects } from './effects.ts';

export interface Explained {
  readonly __typename: string;
  readonly code?: string;
  readonly feePayer: Address;
  readonly sizeBytes: number;
  readonly version: string;
  readonly signers: readonly { readonly address: Address; readonly hasSigned: boolean }[];
  readonly lifetime: { readonly kind: string; readonly value: string; readonly nonceAccount: Address | null };
  readonly computeUnitLimit: number | null;
  readonly computeUnitPrice: string | null;
  readonly networkFeeLamports: string | null;
  readonly instructions: readonly {
    readonly programAddress: Address;
    readonly isKnown: boolean;
    readonly name: string | null;
    readonly summary: string;
    readonly accounts: readonly {
      readonly address: Address;
      readonly role: string | null;
      readonly name: string | null;
      readonly lookupTable: Address | null;
    }[];
    readonly arguments: readonly { readonly name: string; readonly value: string }[];
  }[];
  readonly unknown: { readonly programs: readonly Address[]; readonly writableAccounts: readonly Address[] };
  readonly warnings: readonly {
    readonly code: string;
    readonly message: string;
    readonly instructionIndex: number | null;
  }[];
  readonly simulation?: ExplainedSimulation;
  readonly effects?: Effects;
}

export interface ExplainedSimulation {
  readonly success: boolean;
  readonly logs: readonly string[];
  readonly error: { readonly name: string | null } | null;
  readonly balanceChanges: readonly {
    readonly after: { readonly baseUnits: string };
    readonly change: { readonly baseUnits: string; readonly token: { readonly mint: Address } };
  }[];
}

const FIELDS = `__typename
  ... on InvalidTransaction { code message }
  ... on TransactionExplanation {
    version sizeBytes feePayer signers { address hasSigned } lifetime { kind value nonceAccount }
    computeUnitLimit computeUnitPrice networkFeeLamports
    instructions {
      programAddress programName isKnown name summary arguments { name value }
      accounts { address role name isSigner isWritable lookupTable }
    }
    unknown { programs writableAccounts }
    warnings { code message instructionIndex }
  }`;
const BALANCES = 'balanceChanges { after { baseUnits } change { baseUnits token { mint } } }';
const SIMULATION = `simulation { success logs error { name } ${BALANCES} }`;

/** Everything but the simulation, that as well, or also the effects. */
export type Depth = 'words' | 'simulation' | 'effects';

const EXTRA: Readonly<Record<Depth, string>> = {
  words: '',
  simulation: `... on TransactionExplanation { ${SIMULATION} }`,
  effects: `... on TransactionExplanation { ${SIMULATION} effects { ${EFFECTS} } }`,
};

/** A plan as far as the tests of explanations look at it. */
export interface BuiltPlan {
  readonly transactions: readonly { readonly base64: string }[];
  readonly simulation: ExplainedSimulation;
}

/** A wallet that builds transactions and has them explained. */
export class Explainer {
  readonly signer: KeyPairSigner;
  readonly #world: ActingApp;
  /** RPC calls of the last explanation. */
  rpcRequests = 0;

  constructor(world: ActingApp, signer: KeyPairSigner) {
    this.#world = world;
    this.signer = signer;
  }

  /** The present slot: requests see all that was sent, and the frozen chain stays in it until the next transaction. */
  get headers(): Readonly<Record<string, string>> {
    return { 'x-min-slot': String(this.#world.localnet.chain.slot) };
  }

  async explain(transaction: string, depth: Depth = 'words', wallet?: Address): Promise<Explained> {
    const query = `query ($transaction: Base64!, $wallet: Address) {
      explained: explainTransaction(transaction: $transaction, wallet: $wallet) { ${FIELDS} ${EXTRA[depth]} } }`;
    const { data, errors, extensions } = await this.#world.gateway.query<{ explained: Explained }>(query, {
      variables: { transaction, wallet },
      headers: this.headers,
    });
    expect(errors).toEqual([]);
    this.rpcRequests = extensions.chain?.rpcRequests ?? 0;
    return data.explained;
  }

  async plan(mutation: string, type: string, input: object): Promise<BuiltPlan> {
    const query = `mutation ($input: ${type}!) { plan: ${mutation}(input: $input) {
      ... on BuildError { code message }
      ... on TransactionPlan { transactions { base64 } ${SIMULATION} } } }`;
    const { data, errors } = await this.#world.gateway.query<{ plan: BuiltPlan & { message?: string } }>(
      query,
      { variables: { input: { wallet: this.signer.address, ...input } }, headers: this.headers },
    );
    expect(errors).toEqual([]);
    expect(data.plan.message).toBeUndefined();
    return data.plan;
  }

  /** A plan of one transaction. */
  async build(mutation: string, type: string, input: object): Promise<string> {
    const { transactions } = await this.plan(mutation, type, input);
    const [first, ...rest] = transactions.map(({ base64 }) => base64);
    expect(rest).toEqual([]);
    return first ?? expect.fail('no transaction');
  }

  send(base64: string): Promise<Landed> {
    return this.#world.send('RPC', base64, this.signer);
  }

  async query<T>(query: string): Promise<T> {
    const { data, errors } = await this.#world.gateway.query<T>(query, { headers: this.headers });
    expect(errors).toEqual([]);
    return data;
  }
}

export const sentences = ({ instructions }: Explained) => instructions.map(({ summary }) => summary);

/** The transaction with another address in the place of one. */
export function replaced(base64: string, from: Address, to: Address): string {
  const hex = (at: Address) => Buffer.from(getAddressEncoder().encode(at)).toString('hex');
  const wire = Buffer.from(base64, 'base64').toString('hex');
  return Buffer.from(wire.replaceAll(hex(from), hex(to)), 'hex').toString('base64');
}
