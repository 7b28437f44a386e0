import { lookupTableAddress, marketOwner } from '@sluice/localnet/world/markets';
import { type ObligationKey, obligationAddress } from '@sluice/protocol/klend/addresses';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { MAINNET_PROGRAMS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { Address, KeyPairSigner, Signature } from '@solana/kit';
import { expect } from 'vitest';
import type { ActingApp, Landed } from '../apps/acting-app.ts';
import { buildLeverage, type LeverageAction, type LeveragePlan, sendSigned } from './leverage-actor.ts';
import { given, swapWith } from './maker-swap.ts';

/** The market's table, which holds its accounts: with it, most actions fit into one transaction. */
const TABLE = lookupTableAddress(marketOwner('sluice'), 'Harbor Market');
const MAKER_UNITS = 1_000_000_000_000n;

export interface DeskReserve {
  readonly address: Address;
  readonly mint: Address;
  readonly decimals: number;
}

/** Base units of a token, by its symbol. */
export type Amount = readonly [symbol: string, units: bigint];

export interface Pair {
  readonly collateral: string;
  readonly debt: string;
}

export interface Acted extends LeveragePlan {
  /** Of the transaction with the flash loan. */
  readonly landed: Landed;
  /** Gain of the wallet, negative for a payment, in base units of collateral and debt. */
  readonly changes: readonly [bigint, bigint];
}

/** A wallet and a market maker who co-signs its swaps, in a market of the localnet. */
export class LeverageDesk {
  readonly world: ActingApp;
  readonly wallet: KeyPairSigner;
  readonly maker: KeyPairSigner;
  readonly options = { lookupTables: [TABLE] };
  readonly #reserves: ReadonlyMap<string, DeskReserve>;
  /** For requests that must see the last transaction. */
  headers: Readonly<Record<string, string>> = {};

  private constructor(
    world: ActingApp,
    wallet: KeyPairSigner,
    maker: KeyPairSigner,
    reserves: ReadonlyMap<string, DeskReserve>,
  ) {
    this.world = world;
    this.wallet = wallet;
    this.maker = maker;
    this.#reserves = reserves;
  }

  /** @param own tokens of the wallet, beside 100 SOL @param symbols what the maker has plenty of */
  static async open(
    world: ActingApp,
    own: readonly Amount[],
    symbols: readonly string[],
  ): Promise<LeverageDesk> {
    const reserves = await reservesOf(world);
    const mint = (symbol: string) => reserves.get(symbol)?.mint ?? expect.fail(`no reserve of ${symbol}`);
    const wallet = await world.newWallet(
      Object.fromEntries(own.map(([symbol, units]) => [mint(symbol), units])),
    );
    const maker = await world.newWallet(
      Object.fromEntries(symbols.map((symbol) => [mint(symbol), MAKER_UNITS])),
    );
    return new LeverageDesk(world, wallet, maker, reserves);
  }

  of(symbol: string): DeskReserve {
    return this.#reserves.get(symbol) ?? expect.fail(`no reserve of ${symbol}`);
  }

  /** The wallet sells to the maker. @param minOut what the caller promises, if not what the maker pays */
  swap([sold, spent]: Amount, [bought, paid]: Amount, minOut: bigint = paid) {
    const legs = [
      { mint: this.of(sold).mint, amount: spent },
      { mint: this.of(bought).mint, amount: paid },
    ] as const;
    const instructions: EncodedInstruction[] = swapWith(this.maker.address, this.wallet.address, ...legs);
    return {
      instructions: given(instructions),
      inAmount: String(spent),
      minOut: String(minOut),
      signers: [this.maker.address],
    };
  }

  target({ collateral, debt }: Pair) {
    return {
      wallet: this.wallet.address,
      market: this.world.localnet.addresses.market,
      collateralReserve: this.of(collateral).address,
      debtReserve: this.of(debt).address,
    };
  }

  obligation(key: ObligationKey): Address {
    const { market } = this.world.localnet.addresses;
    return obligationAddress(MAINNET_PROGRAMS.klend, this.wallet.address, market, key).address;
  }

  build(action: LeverageAction, pair: Pair, input: object) {
    const { options } = this;
    return buildLeverage(this.world, action, { ...this.target(pair), options, ...input }, this.headers);
  }

  /** Builds an action that works, and sends its transactions. */
  async act(action: LeverageAction, pair: Pair, input: object): Promise<Acted> {
    const plan = await this.build(action, pair, input);
    expect(plan.code, plan.message).toBeUndefined();
    expect(plan.preview.warnings.filter(({ level }) => level === 'ERROR')).toEqual([]);
    expect(plan.simulation.success, plan.simulation.logs.join('\n')).toBe(true);
    const sides = [pair.collateral, pair.debt] as const;
    const before = await Promise.all(sides.map((symbol) => this.tokens(symbol)));
    const sent: Landed[] = [];
    for (const { base64, signers } of plan.transactions) {
      const makers = signers.includes(this.maker.address) ? [this.maker] : [];
      sent.push(await sendSigned(this.world, base64, this.wallet, ...makers));
    }
    const landed = sent.at(-1) ?? expect.fail('nothing was sent');
    this.headers = landed.headers;
    const after = await Promise.all(sides.map((symbol) => this.tokens(symbol)));
    const lamports = await Promise.all(sent.map(({ signature }) => this.#lamports(signature)));
    const sol = lamports.reduce((sum, each) => sum + each, 0n);
    const [collateral = 0n, debt = 0n] = sides.map(
      (symbol, i) =>
        (after[i] ?? 0n) - (before[i] ?? 0n) + (this.of(symbol).mint === WRAPPED_SOL_MINT ? sol : 0n),
    );
    return { ...plan, landed, changes: [collateral, debt] };
  }

  tokens(symbol: string): Promise<bigint> {
    return this.world.tokens(this.wallet.address, this.of(symbol).mint);
  }

  /** Lamports that the wallet gained in a transaction, beside its fee and the rent of accounts that it opened. */
  async #lamports(signature: Signature): Promise<bigint> {
    const found = await this.world.rpc
      .getTransaction(signature, { maxSupportedTransactionVersion: 0, encoding: 'json' })
      .send();
    const { preBalances = [], postBalances = [], fee = 0n } = found?.meta ?? {};
    let gained = fee;
    for (const [i, pre] of preBalances.entries()) {
      const post = postBalances[i] ?? 0n;
      // The wallet pays the fee, so it is the first account.
      if (i === 0) gained += post - pre;
      else if (pre === 0n) gained += post;
      else if (post === 0n) gained -= pre;
    }
    return gained;
  }
}

async function reservesOf({ gateway, localnet: chain }: ActingApp): Promise<Map<string, DeskReserve>> {
  const { data } = await gateway.query<{
    market: {
      reserves: { address: Address; token: { symbol: string; mint: Address; decimals: number } }[];
    };
  }>(
    `{ market(address: "${chain.addresses.market}") { reserves { address token { symbol mint decimals } } } }`,
  );
  return new Map(
    data.market.reserves.map(({ address, token: { symbol, mint, decimals } }) => [
      symbol,
      { address, mint, decimals },
    ]),
  );
}
