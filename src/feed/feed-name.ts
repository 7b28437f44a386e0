import { createHash } from 'node:crypto';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { WantedAccount } from '../chain/view/kinds.ts';
import { secretId } from './feed-seal.ts';
import { FEED_FORMAT } from './view-message.ts';

/** Everything that makes Views of two processes differ. */
export interface FeedScope {
  readonly cluster: string;
  readonly commitment: string;
  readonly programs: ProgramIds;
  readonly extra: readonly WantedAccount[];
  /** Version of this package: another one may compute other numbers from the same View. */
  readonly version: string;
  /** Gateways cannot read each other's messages without the same one. */
  readonly secret: string;
}

/** Name of a feed. Processes share Views if they read the same accounts and compute the same numbers from them. */
export function feedName({ cluster, commitment, programs, extra, version, secret }: FeedScope): string {
  const { klend, kvault, farms } = programs;
  const accounts = extra.map(({ kind, address }) => `${kind} ${address}`).sort();
  const scope = JSON.stringify([FEED_FORMAT, secretId(secret), commitment, klend, kvault, farms, accounts]);
  return `${cluster} ${version} ${createHash('sha256').update(scope).digest('hex').slice(0, 12)}`;
}
