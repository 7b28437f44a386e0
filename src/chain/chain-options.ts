import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Distrust, RpcCall } from '@sluice/rpc-pool';
import type { Commitment } from '@solana/kit';
import type { PageSize } from './accounts/account-reader.ts';
import type { ProgramDeployment } from './cluster/deployment.ts';
import type { StreamTiming } from './sources/geyser/geyser-source.ts';
import type { StreamEvent } from './sources/geyser/stream-events.ts';
import type { AccountSource } from './view/account-source.ts';
import type { LiveKind, WantedAccount } from './view/kinds.ts';
import type { PaddingUse } from './view/padding-watch.ts';
import type { FedChain, ViewFeed } from './view/view-feed.ts';

export interface ChainOptions {
  readonly rpcUrls: readonly string[];
  readonly wsUrls: readonly string[];
  /** Endpoints that stream accounts. Their URLs may contain tokens. */
  readonly geyserUrls?: readonly string[];
  readonly geyserTokenHeader?: string;
  readonly streamTiming?: Partial<StreamTiming>;
  /** Sources of accounts beside those that the other settings name. */
  readonly moreSources?: readonly AccountSource[];
  readonly programs: ProgramIds;
  /** Accounts to hold in addition to those that discovery finds: tables and mints that only a catalogue names. */
  readonly extra?: readonly WantedAccount[];
  readonly cluster: string;
  /** Another cluster whose name requests may use for this one. */
  readonly standsInFor?: string;
  readonly commitment: Commitment;
  readonly viewRefreshMs: number;
  readonly vaultRefreshMs: number;
  readonly discoveryIntervalMs: number;
  readonly viewsKept: number;
  /** Pause between two reads of the deployed programs. Absent or 0: they are not read. */
  readonly programsIntervalMs?: number;
  readonly rpcTimeoutMs: number;
  readonly rpcMaxAttempts: number;
  readonly rpcConcurrency: number;
  readonly onRpcCall?: (call: RpcCall) => void;
  /** Called when an endpoint is taken out of use because of a false answer. */
  readonly onDistrust?: (endpoint: string, why: Distrust) => void;
  /** Called when Views are discarded because their slot was false, with the slot that is trusted instead. */
  readonly onGivenUp?: (slot: bigint) => void;
  readonly onStream?: (event: StreamEvent) => void;
  readonly onPage?: (page: PageSize) => void;
  readonly onDecoded?: (kind: LiveKind, durationMs: number) => void;
  readonly onRefreshFailure?: (error: unknown) => void;
  /** Called once for a program newer or older than the checked one, and when a program changes later. */
  readonly onRedeployed?: (deployment: ProgramDeployment) => void;
  readonly onDeploymentsFailure?: (error: unknown) => void;
  /** Called once per kind of account and field. */
  readonly onPaddingUsed?: (use: PaddingUse) => void;
  /** Shares Views with other processes. Absent: the chain is read for this process alone. */
  readonly feed?: (chain: FedChain) => Promise<ViewFeed>;
}
