import { obligationAddress, VANILLA_OBLIGATION } from '@sluice/protocol/klend/addresses';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address, KeyPairSigner } from '@solana/kit';
import { expect } from 'vitest';
import type { ActingApp, Landed, Way } from './acting-app.ts';

const U64_MAX = '18446744073709551615';

export type ActionName =
  | 'VaultDeposit'
  | 'VaultWithdraw'
  | 'LendingDeposit'
  | 'LendingBorrow'
  | 'LendingRepay'
  | 'LendingWithdraw';

interface Change {
  readonly before: string | null;
  readonly after: string | null;
}

export interface ActedPreview {
  readonly tokens: Change | null;
  readonly shares: Change | null;
  readonly healthFactor: Change | null;
  readonly loanToValue: Change | null;
}

interface Plan {
  readonly transactions: readonly { readonly base64: string }[];
  readonly simulation: {
    readonly success: boolean;
    readonly unitsConsumed: number;
    readonly logs: readonly string[];
    readonly balanceChanges: readonly {
      readonly after: { readonly baseUnits: string; readonly token: { readonly mint: Address } };
    }[];
  };
  readonly preview: ActedPreview;
}

/** Preview and outcome of an action. */
export interface Acted extends Landed {
  readonly preview: ActedPreview;
  /** Base units of the wallet by mint that the simulation promised, where they change. Lamports for SOL. */
  readonly balances: ReadonlyMap<Address, bigint>;
}

const inputType = (name: ActionName) => (name.startsWith('Lending') ? 'LendingActionInput' : `${name}Input`);
const previewKey = (name: ActionName) => `${name[0]?.toLowerCase()}${name.slice(1)}`;
const CHANGE = '{ before after }';
const PREVIEW = `tokens ${CHANGE} shares ${CHANGE} healthFactor ${CHANGE} loanToValue ${CHANGE}`;

/** A wallet that builds, simulates, signs and sends. */
export class WalletActor {
  readonly signer: KeyPairSigner;
  readonly #world: ActingApp;
  readonly #source: 'GraphQL' | '/ktx';
  readonly #way: Way;
  /** Transactions that it sent, oldest first. */
  readonly sent: { readonly name: ActionName; readonly acted: Acted }[] = [];

  constructor(world: ActingApp, signer: KeyPairSigner, source: 'GraphQL' | '/ktx', way: Way) {
    this.#world = world;
    this.signer = signer;
    this.#source = source;
    this.#way = way;
  }

  get address(): Address {
    return this.signer.address;
  }

  get obligation(): Address {
    const { market } = this.#world.localnet.addresses;
    return obligationAddress(MAINNET_PROGRAMS.klend, this.address, market, VANILLA_OBLIGATION).address;
  }

  /** For requests that must see what it sent last. */
  get headers(): Readonly<Record<string, string>> {
    return this.sent.at(-1)?.acted.headers ?? {};
  }

  /** Runs an action from build to block. @param amount null for all */
  async act(name: ActionName, amount: string | null, reserve?: Address): Promise<Acted> {
    const plan = await this.#plan(name, amount, reserve);
    const [planned] = plan.transactions;
    expect(plan.transactions).toHaveLength(1);
    const base64 =
      this.#source === 'GraphQL' ? planned?.base64 : await this.#transactionOf(name, amount, reserve);
    const landed = await this.#world.send(this.#way, base64 ?? '', this.signer);
    const { balanceChanges } = plan.simulation;
    const balances = new Map(balanceChanges.map(({ after }) => [after.token.mint, BigInt(after.baseUnits)]));
    const acted = { ...landed, preview: plan.preview, balances };
    this.sent.push({ name, acted });
    return acted;
  }

  async query<T>(query: string): Promise<T> {
    const { data, errors } = await this.#world.gateway.query<T>(query, { headers: this.headers });
    expect(errors).toEqual([]);
    return data;
  }

  get<T>(path: string): Promise<T> {
    return this.#world.get<T>(path, this.headers);
  }

  /** The preview of the last such action. */
  preview(name: ActionName): ActedPreview {
    const found = this.sent.findLast((each) => each.name === name);
    if (found === undefined) throw new Error(`${name} was not sent`);
    return found.acted.preview;
  }

  /** Signatures of what it sent with these actions, newest first. */
  signatures(...names: readonly ActionName[]): string[] {
    const found = this.sent.filter(({ name }) => names.includes(name));
    return found.map(({ acted }) => acted.signature).reverse();
  }

  async #plan(name: ActionName, amount: string | null, reserve?: Address): Promise<Plan> {
    const { vault, market } = this.#world.localnet.addresses;
    const unit = name === 'VaultWithdraw' ? 'shares' : 'tokens';
    const input = {
      wallet: this.address,
      ...(reserve === undefined ? { vault } : { market, reserve }),
      amount: amount === null ? { all: 'ALL' } : { [unit]: amount },
    };
    const { gateway } = this.#world;
    const { data, errors } = await gateway.query<{ plan: Plan; preview: ActedPreview }>(
      `mutation ($input: ${inputType(name)}!) { plan: build${name}(input: $input) {
        ... on BuildError { code message }
        ... on TransactionPlan {
          transactions { base64 }
          preview { ${PREVIEW} }
          simulation { success unitsConsumed logs balanceChanges { after { baseUnits token { mint } } } }
        }
      } }`,
      { variables: { input }, headers: this.headers },
    );
    expect(errors).toEqual([]);
    const { simulation, preview } = data.plan;
    expect(simulation.success, simulation.logs?.join('\n')).toBe(true);
    expect(simulation.unitsConsumed).toBeGreaterThan(20_000);
    const alone = await gateway.query<{ preview: ActedPreview }>(
      `query ($action: BuildAction!) { preview(action: $action) { ... on Preview { ${PREVIEW} } } }`,
      { variables: { action: { [previewKey(name)]: input } }, headers: this.headers },
    );
    expect(alone.data.preview).toEqual(preview);
    return data.plan;
  }

  async #transactionOf(name: ActionName, amount: string | null, reserve?: Address): Promise<string> {
    const { vault, market } = this.#world.localnet.addresses;
    const [, program, action] = /^(Vault|Lending)(\w+)$/.exec(name) ?? [];
    const path = `/ktx/${program === 'Vault' ? 'kvault' : 'klend'}/${action?.toLowerCase()}`;
    const target = reserve === undefined ? { kvault: vault } : { market, reserve };
    const body = { wallet: this.address, ...target, amount: amount ?? U64_MAX };
    return (await this.#world.post<{ transaction: string }>(path, body, this.headers)).transaction;
  }
}
