import type { Address } from '@solana/kit';
import { type Curator, curatorInView } from '../services/curators/curators.ts';
import type { ElevationGroup } from '../services/markets/markets.ts';
import {
  type FarmRecord,
  loadRecords,
  type MarketRecord,
  type ObligationRecord,
  type ReserveRecord,
  type TableRecord,
  type VaultRecord,
} from '../services/request/records.ts';
import type { Session } from '../services/request/session.ts';
import { type Token, tokenOf } from '../services/tokens/tokens.ts';
import type { VaultPosition, Wallet } from '../services/wallets/wallets.ts';
import { builder } from './builder.ts';
import { connectionOf } from './connections.ts';

/**
 * The linked types. They are declared before any of them has fields, because they refer to each other. Each is loaded by
 * its address: from the View if it is there, otherwise from the RPC in one batch per level of the query.
 */
export const VaultRef = builder.loadableNodeRef('Vault', {
  id: { resolve: ({ address }: VaultRecord) => address },
  load: (keys: string[], { session }) => loadRecords(session, 'vault', keys as Address[]),
});

export const ReserveRef = builder.loadableNodeRef('Reserve', {
  id: { resolve: ({ address }: ReserveRecord) => address },
  load: (keys: string[], { session }) => loadRecords(session, 'reserve', keys as Address[]),
});

export const MarketRef = builder.loadableNodeRef('Market', {
  id: { resolve: ({ address }: MarketRecord) => address },
  load: (keys: string[], { session }) => loadRecords(session, 'market', keys as Address[]),
});

export const ObligationRef = builder.loadableNodeRef('Obligation', {
  id: { resolve: ({ address }: ObligationRecord) => address },
  load: (keys: string[], { session }) => loadRecords(session, 'obligation', keys as Address[]),
});

export const FarmRef = builder.loadableNodeRef('Farm', {
  id: { resolve: ({ address }: FarmRecord) => address },
  load: (keys: string[], { session }) => loadRecords(session, 'farm', keys as Address[]),
});

export const TokenRef = builder.loadableNodeRef('Token', {
  id: { resolve: ({ mint }: Token) => mint },
  load: async (mints: string[], { session }): Promise<(Token | Error)[]> => {
    const records = await loadRecords(session, 'mint', mints as Address[]);
    return records.map((record) => (record instanceof Error ? record : tokenOf(session.view, record)));
  },
});

export const CuratorRef = builder.loadableNodeRef('Curator', {
  id: { resolve: ({ address }: Curator) => address },
  load: async (keys: string[], { session }): Promise<(Curator | Error)[]> =>
    keys.map((key) => {
      try {
        return curatorInView(session.view, key as Address);
      } catch (error) {
        if (error instanceof Error) return error;
        throw error;
      }
    }),
});

export const LookupTableRef = builder.loadableObjectRef('LookupTable', {
  load: (keys: string[], { session }): Promise<(TableRecord | Error)[]> =>
    loadRecords(session, 'table', keys as Address[]),
});

export const ElevationGroupRef = builder.objectRef<ElevationGroup>('ElevationGroup');

export const VaultConnection = connectionOf('Vault', VaultRef);
export const ReserveConnection = connectionOf('Reserve', ReserveRef);
export const MarketConnection = connectionOf('Market', MarketRef);
export const CuratorConnection = connectionOf('Curator', CuratorRef);
export const TokenConnection = connectionOf('Token', TokenRef);
export const ObligationConnection = connectionOf('Obligation', ObligationRef);
export const VaultPositionRef = builder.objectRef<VaultPosition>('VaultPosition');
export const VaultPositionConnection = connectionOf('VaultPosition', VaultPositionRef);
export const WalletRef = builder.objectRef<Wallet>('Wallet');

/** The object itself if the View has it, which avoids a promise; otherwise the key to load it by. */
export function vaultLink({ view }: Session, address: Address): VaultRecord | string {
  return view.get('vault', address) ?? address;
}

export function reserveLink({ view }: Session, address: Address): ReserveRecord | string {
  return view.get('reserve', address) ?? address;
}

export function marketLink({ view }: Session, address: Address): MarketRecord | string {
  return view.get('market', address) ?? address;
}

export function farmLink({ view }: Session, address: Address): FarmRecord | string {
  return view.get('farm', address) ?? address;
}

export function tableLink({ view }: Session, address: Address): TableRecord | string {
  return view.get('table', address) ?? address;
}

export function tokenLink({ view }: Session, mint: Address): Token | string {
  const record = view.get('mint', mint);
  return record === undefined ? mint : tokenOf(view, record);
}
