import type { Address } from '@solana/kit';
import {
  type FarmEventScope,
  readFarmEvents,
  readFarmManagement,
  type StoredFarmEvent,
  type StoredFarmManagement,
} from '../../../store/transactions/read-farm-events.ts';
import type { FarmEventList } from './farm-events.ts';
import type { FarmTransaction } from './farm-values.ts';

export type { FarmTransaction } from './farm-values.ts';

/** Transactions of stakers: of a wallet in all farms, or of a farm with all wallets. */
export const farmTransactions = (scope: FarmEventScope): FarmEventList<StoredFarmEvent> => ({
  what: 'Farm transactions',
  scope,
  read: (db, page) => readFarmEvents(db, scope, page),
});

/** What the administration of a farm did, with its value at the time. */
export type FarmManagementEvent = FarmTransaction<StoredFarmManagement>;

export const farmManagement = (farm: Address): FarmEventList<StoredFarmManagement> => ({
  what: 'The management history of a farm',
  scope: { farm },
  read: (db, page) => readFarmManagement(db, farm, page),
});
