import { reserve as reserveLayout } from '@sluice/protocol/klend/reserve';
import { supportsMint } from '@sluice/protocol/klend/supported-extensions';
import { addressBytes } from '@sluice/protocol/layout/base58';
import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { FULL_BPS, U64_MAX } from '@sluice/protocol/numeric/fraction';
import { ASSOCIATED_TOKEN_PROGRAM, MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import { routeV2 } from '@sluice/protocol/router/route-instructions';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import { createAssociatedTokenIdempotent } from '@sluice/protocol/token/instructions';
import { decodeMint } from '@sluice/protocol/token/mint';
import { type Address, isAddress, isSignerRole, isWritableRole } from '@solana/kit';
import type { Exchange, SwapAnswer } from '../chain.ts';
import {
  EXCHANGE_AUTHORITY,
  EXCHANGE_EVENT_AUTHORITY,
  EXCHANGE_PROGRAM,
  exchangeVault,
} from '../runtime/exchange/addresses.ts';
import { fillOf } from '../runtime/exchange/price.ts';
import { routeAccounts } from '../runtime/exchange/route.ts';
import { InstructionError } from '../runtime/instruction-error.ts';
import type { Clock } from '../runtime/program.ts';
import { exchangeTable, exchangeTableEntries } from './exchange-vaults.ts';
import type { Reserve } from './model.ts';
import type { World } from './world.ts';

/** The chain at its newest slot. */
interface Present {
  readonly clock: Clock;
  readonly blockhash: { readonly blockhash: string; readonly lastValidBlockHeight: bigint };
}

interface SwapQuery {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: bigint;
  readonly taker: Address;
  readonly slippageBps: number;
}

const DEFAULT_SLIPPAGE_BPS = '50';

/** Answers `/swap/v2/build` as the swap API of Jupiter does, with a swap by the exchange. */
export class WorldExchange implements Exchange {
  readonly #world: World;
  readonly #present: () => Present;

  constructor(world: World, present: () => Present) {
    this.#world = world;
    this.#present = present;
  }

  build(query: URLSearchParams): SwapAnswer {
    const asked = queryOf(query);
    if (typeof asked === 'string') return { status: 400, body: { error: asked } };
    const { inputMint, outputMint, amount } = asked;
    if (inputMint === outputMint) return { status: 400, body: { error: 'CIRCULAR_ARBITRAGE_IS_DISABLED' } };
    const [sold, bought] = [this.#reserveOf(inputMint), this.#reserveOf(outputMint)];
    if (sold === undefined || bought === undefined)
      return { status: 400, body: { error: 'TOKEN_NOT_TRADABLE' } };
    const outAmount = this.#fill(amount, sold, bought);
    if (outAmount === null || outAmount <= 0n || outAmount > U64_MAX) {
      return { status: 400, body: { error: 'NO_ROUTES_FOUND' } };
    }
    return { status: 200, body: this.#answer(asked, sold, bought, outAmount) };
  }

  /** A reserve of the token, which says where its price is. */
  #reserveOf(mint: Address): Reserve | undefined {
    const reserve = this.#world.reserves.find(({ token }) => token.mint.address === mint);
    const account = this.#world.store.get(mint);
    return account !== undefined && supportsMint(decodeMint(account)) ? reserve : undefined;
  }

  /** Null when a price is unknown. */
  #fill(amount: bigint, sold: Reserve, bought: Reserve): bigint | null {
    const { store, oracle } = this.#world;
    const prices = store.get(oracle.address);
    const [first, second] = [store.get(sold.address), store.get(bought.address)];
    if (prices === undefined || first === undefined || second === undefined) return null;
    const { klend } = MAINNET_PROGRAMS;
    const reserves = [reserveLayout.decode(first, klend), reserveLayout.decode(second, klend)] as const;
    try {
      return fillOf(amount, reserves, { address: oracle.address, data: prices.data }, this.#present().clock);
    } catch (error) {
      if (error instanceof InstructionError) return null;
      throw error;
    }
  }

  #answer(query: SwapQuery, sold: Reserve, bought: Reserve, outAmount: bigint): object {
    const { inputMint, outputMint, amount, taker, slippageBps } = query;
    const { seed } = this.#world;
    const [source, destination] = [sold.token.mint, bought.token.mint];
    const accountOf = (mint: typeof source) =>
      associatedTokenAddress(taker, mint.program, mint.address).address;
    const swap = routeV2.encode(
      EXCHANGE_PROGRAM,
      {
        userTransferAuthority: taker,
        userSourceTokenAccount: accountOf(source),
        userDestinationTokenAccount: accountOf(destination),
        sourceMint: inputMint,
        destinationMint: outputMint,
        sourceTokenProgram: source.program,
        destinationTokenProgram: destination.program,
        destinationTokenAccount: null,
        eventAuthority: EXCHANGE_EVENT_AUTHORITY,
        program: EXCHANGE_PROGRAM,
      },
      {
        inAmount: amount,
        quotedOutAmount: outAmount,
        slippageBps,
        platformFeeBps: 0,
        positiveSlippageBps: 0,
      },
      routeAccounts({
        sourceVault: exchangeVault(source),
        destinationVault: exchangeVault(destination),
        oracle: this.#world.oracle.address,
        sourceReserve: sold.address,
        destinationReserve: bought.address,
      }),
    );
    const opening = createAssociatedTokenIdempotent.encode(
      ASSOCIATED_TOKEN_PROGRAM,
      {
        payer: taker,
        associatedToken: accountOf(destination),
        owner: taker,
        mint: outputMint,
        systemProgram: SYSTEM_PROGRAM,
        tokenProgram: destination.program,
      },
      {},
    );
    const [inText, outText] = [String(amount), String(outAmount)];
    const kept = outAmount * (FULL_BPS - BigInt(slippageBps));
    const { blockhash, lastValidBlockHeight } = this.#present().blockhash;
    return {
      inputMint,
      outputMint,
      swapMode: 'ExactIn',
      inAmount: inText,
      outAmount: outText,
      otherAmountThreshold: String((kept + FULL_BPS - 1n) / FULL_BPS),
      slippageBps,
      priceImpactPct: '0',
      routePlan: [
        {
          swapInfo: {
            ammKey: EXCHANGE_AUTHORITY,
            label: 'Localnet exchange',
            inputMint,
            outputMint,
            inAmount: inText,
            outAmount: outText,
          },
          percent: 100,
          bps: Number(FULL_BPS),
        },
      ],
      computeBudgetInstructions: [],
      setupInstructions: [written(opening)],
      swapInstruction: written({ ...swap, data: withoutSteps(swap.data) }),
      cleanupInstruction: null,
      otherInstructions: [],
      tipInstruction: null,
      addressesByLookupTableAddress: { [exchangeTable(seed)]: exchangeTableEntries(this.#world) },
      blockhashWithMetadata: {
        blockhash: [...addressBytes(blockhash as Address)],
        lastValidBlockHeight: Number(lastValidBlockHeight),
        fetchedAt: Date.now(),
      },
    };
  }
}

/** The length of the list of steps follows the arguments. */
const withoutSteps = (data: Uint8Array) => Uint8Array.from([...data, 0, 0, 0, 0]);

const written = ({ programAddress, accounts, data }: EncodedInstruction) => ({
  programId: programAddress,
  accounts: accounts.map(({ address, role }) => ({
    pubkey: address,
    isSigner: isSignerRole(role),
    isWritable: isWritableRole(role),
  })),
  data: Buffer.from(data).toString('base64'),
});

/** A text says what is wrong. */
function queryOf(query: URLSearchParams): SwapQuery | string {
  const text = (name: string) => query.get(name) ?? '';
  const [inputMint, outputMint, taker] = [text('inputMint'), text('outputMint'), text('taker')];
  if (!isAddress(inputMint)) return 'inputMint must be an address';
  if (!isAddress(outputMint)) return 'outputMint must be an address';
  if (!isAddress(taker)) return 'taker must be an address';
  const amount = /^\d{1,20}$/.test(text('amount')) ? BigInt(text('amount')) : 0n;
  if (amount <= 0n || amount > U64_MAX) return 'amount must be positive and fit into 64 bits';
  const slippage = query.get('slippageBps') ?? DEFAULT_SLIPPAGE_BPS;
  const slippageBps = /^\d{1,5}$/.test(slippage) ? Number(slippage) : Number.NaN;
  if (!(slippageBps <= Number(FULL_BPS))) return 'slippageBps must be from 0 to 10000';
  return { inputMint, outputMint, amount, taker, slippageBps };
}
