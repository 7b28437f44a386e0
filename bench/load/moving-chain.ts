import { startLocalnet } from '@sluice/localnet/localnet';
import { serveParent } from '../peers/worker.ts';

/** Sent to the parent when the chain is ready. */
export interface MovingChain {
  readonly url: string;
  readonly wsUrl: string;
  readonly addresses: Readonly<Record<string, string>>;
  readonly catalogue: unknown;
  readonly wallets: readonly string[];
  readonly obligations: readonly string[];
  readonly vaults: readonly string[];
  readonly reserves: readonly string[];
  readonly markets: readonly string[];
}

/** The localnet as in `npm run localnet`, with the addresses of its objects: `moving-chain.js SCALE`. */
const localnet = await startLocalnet({ scale: Number(process.argv[2] ?? '1') });
const { world } = localnet.chain;
const addressesOf = (list: readonly { readonly address: string }[]) => list.map(({ address }) => address);
const description: MovingChain = {
  url: localnet.rpc.url,
  wsUrl: localnet.rpc.wsUrl,
  addresses: { ...localnet.addresses },
  catalogue: localnet.catalogue,
  wallets: addressesOf(world.wallets),
  obligations: addressesOf(world.obligations.filter(({ exists }) => exists)),
  vaults: addressesOf(world.vaults),
  reserves: addressesOf(world.reserves),
  markets: addressesOf(world.markets),
};
serveParent(description, {});
