import type { StoredAccount } from '@sluice/localnet/chain';
import type { AccountLayout } from '@sluice/protocol/layout/account';
import type { Fields, StructInput } from '@sluice/protocol/layout/struct';
import type { Address, KeyPairSigner } from '@solana/kit';
import { expect } from 'vitest';
import { accountIn, withFields } from '../../../packages/localnet/test/support/chain/test-world.ts';
import type { ActingApp, Landed } from './acting-app.ts';

const CHANGE = '{ before after }';
/** Selection of a preview, for queries. */
export const FIGURES = `healthFactor ${CHANGE} loanToValue ${CHANGE} tokens ${CHANGE} shares ${CHANGE}
  stakedShares ${CHANGE} unstakedShares ${CHANGE} elevationGroup ${CHANGE}
  rewards { farm mint amount { baseUnits } } fees { kind amount { baseUnits } } warnings { code level message }
  liquidation { bonus repaid { baseUnits } received { baseUnits } protocolFee { baseUnits }
    collateralTokens { baseUnits } collateral ${CHANGE} debt ${CHANGE} profitUsd }`;
const BUILD = `mutation ($actions: [BuildAction!]!, $options: BuildOptions) {
  plan: buildPlan(actions: $actions, options: $options) {
    __typename
    ... on BuildError { code message step }
    ... on TransactionPlan {
      transactions { base64 steps }
      steps { kind preview { ${FIGURES} } }
      preview { ${FIGURES} }
      simulation { success logs error { name } }
    }
  }
}`;

export interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

interface Units {
  readonly baseUnits: string;
}

export interface PlanFigures {
  readonly healthFactor: Change | null;
  readonly loanToValue: Change | null;
  readonly tokens: Change | null;
  readonly shares: Change | null;
  readonly stakedShares: Change | null;
  readonly unstakedShares: Change | null;
  readonly elevationGroup: Change | null;
  readonly rewards: readonly {
    readonly farm: Address;
    readonly mint: Address;
    readonly amount: Units;
  }[];
  readonly fees: readonly { readonly kind: string; readonly amount: Units }[];
  readonly liquidation: {
    readonly bonus: string;
    readonly repaid: Units;
    readonly received: Units;
    readonly protocolFee: Units;
    readonly collateralTokens: Units | null;
    readonly collateral: Change;
    readonly debt: Change;
    readonly profitUsd: string | null;
  } | null;
  readonly warnings: readonly { readonly code: string; readonly level: string; readonly message: string }[];
}

export interface BuiltPlan {
  readonly __typename: 'TransactionPlan';
  readonly transactions: readonly { readonly base64: string; readonly steps: readonly number[] }[];
  readonly steps: readonly { readonly kind: string; readonly preview: PlanFigures }[];
  readonly preview: PlanFigures;
  readonly simulation: {
    readonly success: boolean;
    readonly logs: readonly string[];
    readonly error: { readonly name: string } | null;
  };
}

export interface RefusedPlan {
  readonly __typename: string;
  readonly code: string;
  readonly message: string;
  readonly step: number | null;
}

export const isBuilt = (plan: BuiltPlan | RefusedPlan): plan is BuiltPlan =>
  plan.__typename === 'TransactionPlan';

/** A wallet that builds plans over GraphQL, signs and sends them. */
export class PlanActor {
  readonly signer: KeyPairSigner;
  readonly #world: ActingApp;
  /** For requests that must see what happened last. */
  headers: Readonly<Record<string, string>> = {};

  constructor(world: ActingApp, signer: KeyPairSigner) {
    this.#world = world;
    this.signer = signer;
  }

  get address(): Address {
    return this.signer.address;
  }

  async build(actions: readonly object[], options: object = {}): Promise<BuiltPlan | RefusedPlan> {
    const variables = { actions, options: { lookupTables: marketTables(this.#world), ...options } };
    const { data, errors } = await this.#world.gateway.query<{ plan: BuiltPlan | RefusedPlan }>(BUILD, {
      variables,
      headers: this.headers,
    });
    expect(errors).toEqual([]);
    return data.plan;
  }

  /** Builds a plan that works and sends its transactions in order. */
  async act(...actions: readonly object[]): Promise<BuiltPlan & { readonly landed: readonly Landed[] }> {
    const plan = await this.build(actions);
    if (!isBuilt(plan)) return expect.fail(`${plan.code} at step ${plan.step}: ${plan.message}`);
    expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
    return { ...plan, landed: await this.send(plan) };
  }

  async send({ transactions }: BuiltPlan): Promise<readonly Landed[]> {
    const landed: Landed[] = [];
    for (const { base64 } of transactions) landed.push(await this.#world.send('RPC', base64, this.signer));
    this.headers = landed.at(-1)?.headers ?? this.headers;
    return landed;
  }

  /** A plan that is refused. */
  async refused(actions: readonly object[], options: object = {}): Promise<RefusedPlan> {
    const plan = await this.build(actions, options);
    return isBuilt(plan) ? expect.fail('the plan was built') : plan;
  }

  /** Lets time pass on the chain. */
  async wait(seconds: number): Promise<void> {
    const slot = await this.#world.call('localnet_advanceTime', [seconds]);
    this.headers = { 'x-min-slot': String(slot) };
  }

  tokens(mint: Address): Promise<bigint> {
    return this.#world.tokens(this.address, mint);
  }

  vault(kind: 'Deposit' | 'Withdraw', amount: object): object {
    const { vault } = this.#world.localnet.addresses;
    return { [`vault${kind}`]: { wallet: this.address, vault, amount } };
  }

  shares(kind: 'stake' | 'unstake', amount: object): object {
    const { vault } = this.#world.localnet.addresses;
    return { [`${kind}Shares`]: { wallet: this.address, vault, amount } };
  }

  claim(...farms: readonly Address[]): object {
    return { claimRewards: { wallet: this.address, ...(farms.length > 0 && { farms }) } };
  }

  lending(
    kind: 'Deposit' | 'Borrow' | 'Repay' | 'Withdraw',
    reserve: Address,
    tokens: string | null,
  ): object {
    const { market } = this.#world.localnet.addresses;
    const amount = tokens === null ? { all: 'ALL' } : { tokens };
    return { [`lending${kind}`]: { wallet: this.address, market, reserve, amount } };
  }
}

/** Changes fields of an account on the chain, as an administrator of its program would. */
export function alterAccount<F extends Fields>(
  { localnet }: ActingApp,
  layout: AccountLayout<F>,
  address: Address,
  fields: StructInput<F>,
): void {
  const changed: StoredAccount = withFields(layout, accountIn(localnet.chain, address), fields);
  localnet.chain.world.store.commit(new Map([[address, changed]]));
}

/** Tables of the market, which the gateway does not know, because no catalogue is configured. */
function marketTables({ localnet }: ActingApp): Address[] {
  const { markets } = localnet.catalogue as {
    readonly markets: readonly { readonly lendingMarket: Address; readonly lookupTable: Address }[];
  };
  return markets
    .filter(({ lendingMarket }) => lendingMarket === localnet.addresses.market)
    .map(({ lookupTable }) => lookupTable);
}
