import { startLocalnet } from '@sluice/localnet/localnet';
import { serveParent } from '../peers/worker.ts';
import { describedWorld, type MovingChain } from './moving-chain.ts';

/** The localnet as in `npm run localnet`, with the addresses of its objects: `moving-chain-process.js SCALE`. */
const localnet = await startLocalnet({ scale: Number(process.argv[2] ?? '1') });
const description: MovingChain = {
  url: localnet.rpc.url,
  wsUrl: localnet.rpc.wsUrl,
  catalogue: localnet.catalogue,
  ...describedWorld(localnet.chain),
};
serveParent(description, {});
