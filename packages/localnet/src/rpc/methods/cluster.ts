import { createHash } from 'node:crypto';
import { viewOf } from '@sluice/protocol/layout/account';
import { readAddress } from '@sluice/protocol/layout/base58';
import { API_VERSION, type Methods } from '../call.ts';

/** Unique to this chain, so that no client mistakes it for a public cluster. Another name would give another hash. */
const GENESIS_HASH = named('sluice embedded chain: genesis');
const IDENTITY = named('sluice embedded chain: identity');

export const clusterMethods: Methods = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'feature-set': 0, 'solana-core': API_VERSION }),
  getGenesisHash: () => GENESIS_HASH,
  getIdentity: () => ({ identity: IDENTITY }),

  /** A single node without peers. */
  getClusterNodes: () => [
    {
      featureSet: 0,
      gossip: null,
      pubkey: IDENTITY,
      pubsub: null,
      rpc: null,
      serveRepair: null,
      shredVersion: 0,
      tpu: null,
      tpuForwards: null,
      tpuForwardsQuic: null,
      tpuQuic: null,
      tpuVote: null,
      tvu: null,
      version: API_VERSION,
    },
  ],

  /** There are no validators. */
  getVoteAccounts: () => ({ current: [], delinquent: [] }),
};

/** Thirty-two bytes in base58, derived from a name. */
function named(name: string): string {
  return readAddress(viewOf(createHash('sha256').update(name).digest()), 0);
}
