import type { Address } from '@solana/kit';
import { startControlledLocalnet } from './localnet.ts';
import { MAX_ADVANCE_SECONDS } from './rpc/chain-control.ts';
import { parsePriceSf } from './rpc/price.ts';
import type { WorldAddresses } from './world-addresses.ts';

/** Largest size of a world. */
export const MAX_SCALE = 50;

export interface LocalnetOptions {
  /** 0, the default, picks a free port. WebSockets use the same one. */
  readonly port?: number;
  /** Address to listen on. Defaults to `127.0.0.1`. */
  readonly host?: string;
  /** Decides the world: the same seed gives the same addresses and keys. Defaults to `sluice`. */
  readonly seed?: string;
  /** Size of the world, 1 to 50: 10 has ten times as many accounts. Defaults to 1. */
  readonly scale?: number;
  /** Time moves only on request, and by one slot after each transaction. Nobody acts but the clients. Defaults to true. */
  readonly frozen?: boolean;
  /** Port of a Yellowstone gRPC stream of the chain, 0 for any free one. Without it there is no stream. */
  readonly geyserPort?: number;
  /** Clients of the stream must send it as `x-token`. */
  readonly geyserToken?: string;
}

/** A running chain. Its controls act at once; the next request over RPC sees their effect. */
export interface Localnet {
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Null without `geyserPort`. */
  readonly geyserUrl: string | null;
  /** Addresses of the world to start with. */
  readonly addresses: WorldAddresses;
  /** 64 bytes: the key of `addresses.wallet`. Derived from the seed, so worthless on a real cluster. */
  readonly secretKey: Uint8Array;
  /**
   * Sets the price of a token until the next reset.
   *
   * @param token symbol or mint
   * @param usd USD per whole token as decimal text, for example `20.5`
   * @throws RangeError when the world has no such token, or the text is not a price above zero
   */
  setPrice(token: string, usd: string): void;
  /**
   * Advances time; interest and rewards accrue.
   *
   * @param seconds above zero, at most a year
   * @returns the new slot
   * @throws RangeError when the step is out of range
   */
  advance(seconds: number): bigint;
  /**
   * Switches the emergency mode of a reserve, or of all reserves of a market, until the next reset.
   *
   * @throws RangeError when the address is of neither
   */
  setEmergencyMode(address: Address, isOn: boolean): void;
  /**
   * Restores accounts and prices as they were at the start. Time does not go back, so interest for it accrues again.
   *
   * @returns the new slot
   */
  reset(): bigint;
  stop(): Promise<void>;
}

/**
 * Starts a chain for tests in this process.
 *
 * ```ts
 * const localnet = await startLocalnet({ seed: 'my-app' });
 * localnet.setPrice('SOL', '20');
 * await localnet.stop();
 * ```
 *
 * @throws RangeError when an option is out of range
 */
export async function startLocalnet({
  port = 0,
  host = '127.0.0.1',
  seed = 'sluice',
  scale = 1,
  frozen = true,
  geyserPort,
  geyserToken,
}: LocalnetOptions = {}): Promise<Localnet> {
  if (!Number.isInteger(scale) || scale < 1 || scale > MAX_SCALE) {
    throw new RangeError(`scale must be a whole number from 1 to ${MAX_SCALE}`);
  }
  const { rpc, geyser, chain, addresses, secretKey, control, stop } = await startControlledLocalnet({
    port,
    host,
    seed,
    scale,
    frozen,
    ...(geyserPort !== undefined && {
      geyser: { port: geyserPort, ...(geyserToken !== undefined && { token: geyserToken }) },
    }),
  });
  return {
    rpcUrl: rpc.url,
    wsUrl: rpc.wsUrl,
    geyserUrl: geyser?.url ?? null,
    addresses,
    secretKey,
    setPrice(token, usd) {
      const priceSf = parsePriceSf(usd) ?? 0n;
      if (priceSf === 0n) throw new RangeError(`${usd} is not a price above zero as decimal text`);
      if (!control.setPrice(token, priceSf)) throw new RangeError(`this world has no token ${token}`);
    },
    advance(seconds) {
      if (!(seconds > 0 && seconds <= MAX_ADVANCE_SECONDS)) {
        throw new RangeError(`expected a number of seconds up to ${MAX_ADVANCE_SECONDS}`);
      }
      control.advance(seconds);
      return chain.slot;
    },
    setEmergencyMode(address, isOn) {
      if (!control.setEmergencyMode(address, isOn)) {
        throw new RangeError(`${address} is not a reserve or market of this world`);
      }
    },
    reset() {
      control.reset();
      return chain.slot;
    },
    stop,
  };
}
