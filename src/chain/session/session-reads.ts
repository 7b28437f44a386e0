import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address, Commitment } from '@solana/kit';
import type { CodedError } from '../../errors/sluice-error.ts';
import type { ChainAccount } from '../accounts/account-page.ts';
import type { AccountReader } from '../accounts/account-reader.ts';
import type { Deployments } from '../cluster/deployments.ts';
import type { Positions } from '../positions/positions.ts';
import type { Decoders, LiveKind, LiveValues } from '../view/kinds.ts';
import type { PaddingWatch } from '../view/padding-watch.ts';
import type { Held } from '../view/view.ts';
import type { ViewStore } from '../view/view-store.ts';
import type { AccountScan, WalletRpc } from './wallet-reads.ts';

/** Addresses of a wallet's accounts, as a search found them. */
export interface WalletAccounts {
  readonly tokenAccounts: readonly Address[];
  readonly obligations: readonly Address[];
  readonly stakes: readonly Address[];
  readonly withdrawTickets: readonly Address[];
  /** Addresses that had no account. */
  readonly absent: readonly Address[];
}

/** The accounts that a scan found. */
export interface Scanned<K extends LiveKind> {
  readonly found: Held<LiveValues[K]>[];
  /** Errors of accounts that cannot be decoded, by address. */
  readonly unreadable: ReadonlyMap<Address, CodedError>;
}

/**
 * - `VIEW`: as the View has them when it has the accounts of all wallets, else as the RPC does.
 * - `CHAIN`: from the RPC always. For what a transaction acts on, which must be as new as it can be.
 */
export type ReadFrom = 'VIEW' | 'CHAIN';

/** Where the accounts of a scan come from. */
export interface WalletScan {
  readonly from?: ReadFrom;
  /** Absent: they are never in the View. */
  readonly resident?: (positions: Positions) => readonly ChainAccount[] | Promise<readonly ChainAccount[]>;
  readonly read: (signal: AbortSignal) => Promise<AccountScan[]>;
}

/** A recent blockhash and the last block height at which a transaction with it can land. */
export interface Blockhash {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
}

/** Sources of a session. */
export interface SessionSources {
  readonly reader: AccountReader;
  readonly decoders: Decoders;
  readonly views: ViewStore;
  readonly rpc: WalletRpc;
  readonly programs: ProgramIds;
  readonly commitment: Commitment;
  readonly deployments: Pick<Deployments, 'runsAtLeast'>;
  /** Scans accounts that are read without one of the decoders. */
  readonly padding: Pick<PaddingWatch, 'see'>;
}
