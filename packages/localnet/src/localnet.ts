import type { Address } from '@solana/kit';
import { exampleTransaction } from './example-transaction.ts';
import { type GeyserOptions, type LocalnetGeyser, startGeyserServer } from './geyser/server.ts';
import type { ChainControl } from './rpc/chain-control.ts';
import { type LocalnetRpc, startRpcServer } from './rpc/server.ts';
import { EXCHANGE_PROGRAM } from './runtime/exchange/addresses.ts';
import { slotAt, startOf } from './world/time.ts';
import { createWorldChain, type WorldChain } from './world/world-chain.ts';
import { worldWalletKey } from './world/world-wallet.ts';
import type { WorldAddresses } from './world-addresses.ts';
import { worldCatalogue } from './world-catalogue.ts';
import { worldSeasons } from './world-seasons.ts';

export interface LocalnetOptions {
  /** 10 makes the world ten times as large. */
  readonly scale: number;
  /** 0 picks a free port. */
  readonly port?: number;
  readonly host?: string;
  /** Unix milliseconds. */
  readonly now?: () => number;
  /** Streams the chain over gRPC, on a port of its own; absent: it does not. */
  readonly geyser?: GeyserOptions;
}

export interface ControlledLocalnetOptions extends Omit<LocalnetOptions, 'now'> {
  /** Another seed gives another world, with other addresses. */
  readonly seed: string;
  /** Time moves only on request, and by one slot after each transaction; nobody acts but the clients. */
  readonly frozen: boolean;
}

/** A running localnet: a world that moves with time, served by a real RPC server on loopback. */
export interface Localnet {
  readonly rpc: LocalnetRpc;
  /** Null without the option. */
  readonly geyser: LocalnetGeyser | null;
  readonly chain: WorldChain;
  readonly addresses: WorldAddresses;
  /** 64 bytes: the key of `addresses.wallet`. Worthless, because it is derived from the world's seed. */
  readonly secretKey: Uint8Array;
  /** Router of the swaps that the RPC server quotes at `/swap/v2/build`. */
  readonly exchangeProgram: Address;
  /** An unsigned transaction in base64, for examples. */
  readonly exampleTransaction: string;
  /** Off-chain facts about this world, in the format of a catalogue file. */
  readonly catalogue: unknown;
  /** Seasons of rewards of this world, in the format of a seasons file. */
  readonly seasons: unknown;
  stop(): Promise<void>;
}

export interface ControlledLocalnet extends Localnet {
  readonly control: ChainControl;
}

export async function startLocalnet(options: LocalnetOptions): Promise<Localnet> {
  const { scale, port = 0, host = '127.0.0.1', now = Date.now } = options;
  const chain = createWorldChain({ scale, now });
  const geyser = await startGeyser(chain, options);
  return await serve(chain, now(), geyser, () => startRpcServer(chain, { port, host }));
}

/** A chain for tests: its clients set prices, advance time and reset it. */
export async function startControlledLocalnet(
  options: ControlledLocalnetOptions,
): Promise<ControlledLocalnet> {
  const { scale, seed, frozen, port = 0, host = '127.0.0.1' } = options;
  const startedAt = Date.now();
  let advancedMs = 0;
  const now = () => (frozen ? startedAt : Date.now()) + advancedMs;
  const chain = createWorldChain({ scale, seed, now, quiet: frozen });
  // Before the listener below, which ends the slot of a transaction.
  const geyser = await startGeyser(chain, options);
  const advance = (ms: number) => {
    advancedMs += ms;
    chain.tick();
  };
  const enterNextSlot = () => advance(startOf(slotAt(now()) + 1n) - now());
  // A stream has the contents of a slot when it has ended, which a frozen chain does when the next one begins.
  const endSlot = () => {
    if (frozen && geyser !== null) enterNextSlot();
  };
  // Readers notice a change by its slot.
  const noticed = (isSet: boolean) => {
    if (isSet && frozen) enterNextSlot();
    if (isSet) endSlot();
    return isSet;
  };
  const control: ChainControl = {
    setPrice: (token, priceSf) => noticed(chain.setPrice(token, priceSf)),
    setEmergencyMode: (address, isOn) => noticed(chain.setEmergencyMode(address, isOn)),
    advance(seconds) {
      advance(seconds * 1_000);
      endSlot();
    },
    reset() {
      chain.reset();
      enterNextSlot();
    },
  };
  if (frozen) chain.onTransaction(enterNextSlot);
  const localnet = await serve(chain, now(), geyser, () => startRpcServer(chain, { port, host, control }));
  return { ...localnet, control };
}

async function startGeyser(
  chain: WorldChain,
  { geyser, host }: Pick<LocalnetOptions, 'geyser' | 'host'>,
): Promise<LocalnetGeyser | null> {
  if (geyser === undefined) return null;
  return await startGeyserServer(chain, { ...(host === undefined ? {} : { host }), ...geyser });
}

async function serve(
  chain: WorldChain,
  startedAt: number,
  geyser: LocalnetGeyser | null,
  startRpc: () => Promise<LocalnetRpc>,
): Promise<Localnet> {
  const rpc = await startRpc().catch(async (error: unknown) => {
    await geyser?.close();
    throw error;
  });
  chain.start();
  return {
    rpc,
    geyser,
    chain,
    addresses: chain.addresses,
    secretKey: worldWalletKey(chain.world.seed).secretKey,
    exchangeProgram: EXCHANGE_PROGRAM,
    exampleTransaction: exampleTransaction(chain),
    catalogue: worldCatalogue(chain.world, startedAt),
    seasons: worldSeasons(chain.world, chain.addresses, startedAt),
    async stop() {
      chain.stop();
      await Promise.all([rpc.close(), geyser?.close()]);
    },
  };
}
