import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDecimal } from '../../src/numeric/decimal.ts';
import { Rational } from '../../src/numeric/rational.ts';
import { obligationAddress, VANILLA_OBLIGATION } from '../../src/programs/klend/addresses.ts';
import { MAINNET_PROGRAMS } from '../../src/programs/program-ids.ts';
import { type ActingApp, type Landed, startActingApp, type Way } from '../support/apps/acting-app.ts';
import { debtUnits, depositUnits } from '../support/lending/position-units.ts';

/** Every builder on the embedded chain: built, simulated, signed, sent, confirmed and read back. */

const U64_MAX = '18446744073709551615';
const USDC = 1_000_000n;

let world: ActingApp;
beforeAll(async () => {
  world = await startActingApp();
});
afterAll(() => world?.stop());

type ActionName =
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
interface Preview {
  readonly tokens: Change | null;
  readonly shares: Change | null;
  readonly healthFactor: Change | null;
}
interface Plan {
  readonly transactions: readonly { readonly base64: string }[];
  readonly simulation: { readonly success: boolean; readonly unitsConsumed: number; readonly logs: string[] };
  readonly preview: Preview;
}

const inputType = (name: ActionName) => (name.startsWith('Lending') ? 'LendingActionInput' : `${name}Input`);
const previewKey = (name: ActionName) => `${name[0]?.toLowerCase()}${name.slice(1)}`;
const PREVIEW = 'tokens { before after } shares { before after } healthFactor { before after }';

/** Wallet of one run and what it acts on. */
class Actor {
  readonly signer: KeyPairSigner;
  readonly #source: 'GraphQL' | '/ktx';
  readonly #way: Way;
  landed: Landed | undefined;

  constructor(signer: KeyPairSigner, source: 'GraphQL' | '/ktx', way: Way) {
    this.signer = signer;
    this.#source = source;
    this.#way = way;
  }

  get obligation(): Address {
    const { market } = world.chain.addresses;
    return obligationAddress(MAINNET_PROGRAMS.klend, this.signer.address, market, VANILLA_OBLIGATION).address;
  }

  /** Runs an action from build to block; returns what its preview promised. @param amount null for all */
  async act(name: ActionName, amount: string | null, reserve?: Address): Promise<Preview> {
    const base64s = this.#source === 'GraphQL' ? null : await this.#transactionOf(name, amount, reserve);
    const plan = await this.#plan(name, amount, reserve);
    for (const base64 of base64s ?? plan.transactions.map((each) => each.base64)) {
      this.landed = await world.send(this.#way, base64, this.signer);
    }
    return plan.preview;
  }

  async read<T>(query: string): Promise<T> {
    const { data, errors } = await world.gateway.query<T>(query, { headers: this.landed?.headers ?? {} });
    expect(errors).toEqual([]);
    return data;
  }

  async balance(mint: Address): Promise<bigint> {
    return await world.tokens(this.signer.address, mint);
  }

  async #plan(name: ActionName, amount: string | null, reserve?: Address): Promise<Plan> {
    const { vault, market } = world.chain.addresses;
    const unit = name === 'VaultWithdraw' ? 'shares' : 'tokens';
    const input = {
      wallet: this.signer.address,
      ...(reserve === undefined ? { vault } : { market, reserve }),
      amount: amount === null ? { all: 'ALL' } : { [unit]: amount },
    };
    const headers = this.landed?.headers ?? {};
    const { data, errors } = await world.gateway.query<{ plan: Plan }>(
      `mutation ($input: ${inputType(name)}!) { plan: build${name}(input: $input) {
        ... on BuildError { code message }
        ... on TransactionPlan { transactions { base64 } preview { ${PREVIEW} } simulation { success unitsConsumed logs } }
      } }`,
      { variables: { input }, headers },
    );
    expect(errors).toEqual([]);
    expect(data.plan.simulation.success, data.plan.simulation.logs?.join('\n')).toBe(true);
    expect(data.plan.simulation.unitsConsumed).toBeGreaterThan(20_000);
    const alone = await world.gateway.query<{ preview: Preview }>(
      `query ($action: BuildAction!) { preview(action: $action) { ... on Preview { ${PREVIEW} } } }`,
      { variables: { action: { [previewKey(name)]: input } }, headers },
    );
    expect(alone.data.preview).toEqual(data.plan.preview);
    return data.plan;
  }

  async #transactionOf(name: ActionName, amount: string | null, reserve?: Address): Promise<string[]> {
    const { vault, market } = world.chain.addresses;
    const [, program, action] = /^(Vault|Lending)(\w+)$/.exec(name) ?? [];
    const path = `/ktx/${program === 'Vault' ? 'kvault' : 'klend'}/${action?.toLowerCase()}`;
    const target = reserve === undefined ? { kvault: vault } : { market, reserve };
    const body = { wallet: this.signer.address, ...target, amount: amount ?? U64_MAX };
    return [(await world.post<{ transaction: string }>(path, body)).transaction];
  }
}

/** A figure of a preview in base units; within a hundredth of a unit of what the chain has. */
function expectUnits(text: string | null | undefined, decimals: number, units: Rational): void {
  const promised = parseDecimal(text ?? expect.fail('no figure')).mul(Rational.of(10n ** BigInt(decimals)));
  const distance = promised.sub(units).abs();
  expect(
    distance.compare(Rational.of(1n, 100n)),
    `${promised.toNumber()} promised, ${units.toNumber()} on the chain`,
  ).toBeLessThanOrEqual(0);
}

describe.each([
  ['GraphQL', 'RPC'],
  ['GraphQL', 'GraphQL'],
  ['/ktx', 'REST'],
] as const)('transactions of %s, sent over %s', (source, way) => {
  let actor: Actor;
  let addresses: ActingApp['chain']['addresses'];

  beforeAll(async () => {
    addresses = world.chain.addresses;
    const signer = await world.newWallet({ [addresses.tokenMint]: 10_000n * USDC });
    actor = new Actor(signer, source, way);
  });

  const vaultPosition = async () =>
    (
      await actor.read<{
        vault: { position: { totalShares: string; stakedShares: string; value: { amount: string } } | null };
      }>(
        `{ vault(address: "${addresses.vault}") { position(wallet: "${actor.signer.address}") {
          totalShares stakedShares value { amount } } } }`,
      )
    ).vault.position;

  it('deposits into a vault: the shares are those of the preview, and staked', async () => {
    const before = await actor.balance(addresses.tokenMint);
    const { shares, tokens } = await actor.act('VaultDeposit', '1234.567891');
    expect(before - (await actor.balance(addresses.tokenMint))).toBe(1_234_567_891n);
    const position = await vaultPosition();
    expect(position?.totalShares).toBe(shares?.after);
    expect(position?.stakedShares).toBe(shares?.after);
    const difference = Number(position?.value.amount) - Number(tokens?.after);
    expect(Math.abs(difference)).toBeLessThan(2e-6);
  });

  it('withdraws some shares and then all', async () => {
    const before = await actor.balance(addresses.tokenMint);
    const first = await actor.act('VaultWithdraw', '100.000001');
    expect((await vaultPosition())?.totalShares).toBe(first.shares?.after);
    const received = (await actor.balance(addresses.tokenMint)) - before;
    expect(Number(received)).toBeGreaterThan(100 * Number(USDC));
    const last = await actor.act('VaultWithdraw', null);
    expect(last.shares?.after).toBe('0');
    expect((await vaultPosition())?.totalShares ?? '0').toBe('0');
    expect(await actor.balance(addresses.sharesMint)).toBe(0n);
  });

  it('deposits into a reserve', async () => {
    const before = await actor.balance(addresses.tokenMint);
    const { tokens } = await actor.act('LendingDeposit', '500.000003', addresses.reserve);
    expect(before - (await actor.balance(addresses.tokenMint))).toBe(500_000_003n);
    expectUnits(tokens?.after, 6, depositUnits(world.chain.ledger, actor.obligation, addresses.reserve));
  });

  it('borrows', async () => {
    const before = (await world.rpc.getBalance(actor.signer.address).send()).value;
    const { tokens, healthFactor } = await actor.act('LendingBorrow', '0.5', addresses.depositReserve);
    const after = (await world.rpc.getBalance(actor.signer.address).send()).value;
    // Rent of the debt farm's account and the fee come off the half SOL.
    expect(Number(after - before)).toBeGreaterThan(0.49e9);
    expect(Number(after - before)).toBeLessThan(0.5e9);
    expectUnits(tokens?.after, 9, debtUnits(world.chain.ledger, actor.obligation, addresses.depositReserve));
    const { obligation } = await actor.read<{ obligation: { healthFactor: string } }>(
      `{ obligation(address: "${actor.obligation}") { healthFactor } }`,
    );
    // Prices move with the slot.
    expect(Number(obligation.healthFactor)).toBeCloseTo(Number(healthFactor?.after), 2);
  });

  it('repays some and then all', async () => {
    const { tokens } = await actor.act('LendingRepay', '0.2', addresses.depositReserve);
    expectUnits(tokens?.after, 9, debtUnits(world.chain.ledger, actor.obligation, addresses.depositReserve));
    const last = await actor.act('LendingRepay', null, addresses.depositReserve);
    expect(last.tokens?.after).toBe('0');
    const { obligation } = await actor.read<{ obligation: { borrows: unknown[]; deposits: unknown[] } }>(
      `{ obligation(address: "${actor.obligation}") { borrows { reserveAddress } deposits { reserveAddress } } }`,
    );
    expect(obligation).toEqual({ borrows: [], deposits: [{ reserveAddress: addresses.reserve }] });
  });

  it('withdraws some and then all, which closes the obligation', async () => {
    const { tokens } = await actor.act('LendingWithdraw', '100.000001', addresses.reserve);
    expectUnits(tokens?.after, 6, depositUnits(world.chain.ledger, actor.obligation, addresses.reserve));
    const last = await actor.act('LendingWithdraw', null, addresses.reserve);
    expect(last.tokens?.after).toBe('0');
    const { value } = await world.rpc.getAccountInfo(actor.obligation, { encoding: 'base64' }).send();
    expect(value).toBeNull();
    const { wallet } = await actor.read<{ wallet: { obligations: { nodes: unknown[] } } }>(
      `{ wallet(address: "${actor.signer.address}") { obligations { nodes { address } } } }`,
    );
    expect(wallet.obligations.nodes).toEqual([]);
  });
});
