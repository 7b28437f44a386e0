import type {
  LendingEventKind,
  QueueEventKind,
  StakerEventKind,
  VaultEventKind,
} from '@sluice/protocol/transactions/events';

/** Part of the platform that an entry belongs to. */
export type ActivityProduct = 'VAULT' | 'LENDING' | 'FARM' | 'WITHDRAW_QUEUE';

export const ACTIVITY_PRODUCTS = [
  'VAULT',
  'LENDING',
  'FARM',
  'WITHDRAW_QUEUE',
] as const satisfies readonly ActivityProduct[];

const VAULT_KINDS = {
  VAULT_DEPOSIT: 'deposit',
  VAULT_WITHDRAWAL: 'withdraw',
  SHARES_RECEIVED: 'transferIn',
  SHARES_SENT: 'transferOut',
  VAULT_INVEST: 'invest',
} as const satisfies Readonly<Record<string, VaultEventKind>>;

const LENDING_KINDS = {
  COLLATERAL_DEPOSIT: 'deposit',
  COLLATERAL_WITHDRAWAL: 'withdraw',
  BORROW: 'borrow',
  REPAYMENT: 'repay',
  LIQUIDATION: 'liquidation',
} as const satisfies Readonly<Record<string, LendingEventKind>>;

const FARM_KINDS = {
  STAKE: 'stake',
  UNSTAKE: 'unstake',
  STAKE_WITHDRAWAL: 'withdraw',
  REWARD: 'harvest',
} as const satisfies Readonly<Record<string, StakerEventKind>>;

const QUEUE_KINDS = {
  QUEUE_ENTERED: 'enqueue',
  QUEUE_PAID: 'withdraw',
  QUEUE_LEFT: 'cancel',
  QUEUE_RETURNED: 'recover',
} as const satisfies Readonly<Record<string, QueueEventKind>>;

export type VaultActivityKind = keyof typeof VAULT_KINDS;
export type LendingActivityKind = keyof typeof LENDING_KINDS;
export type FarmActivityKind = keyof typeof FARM_KINDS;
export type QueueActivityKind = keyof typeof QUEUE_KINDS;

/** Kind of an entry. UNREAD stands for a transaction that could not be read. */
export type ActivityKind =
  | VaultActivityKind
  | LendingActivityKind
  | FarmActivityKind
  | QueueActivityKind
  | 'UNREAD';

const kindsOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[];

export const ACTIVITY_KINDS = [
  'UNREAD',
  ...kindsOf(VAULT_KINDS),
  ...kindsOf(LENDING_KINDS),
  ...kindsOf(FARM_KINDS),
  ...kindsOf(QUEUE_KINDS),
] as const satisfies readonly ActivityKind[];

type KindTable<E extends string> = Readonly<Record<string, E>>;

/** The kinds of events among the asked kinds of entries; all for null. */
function eventsAmong<E extends string>(table: KindTable<E>, asked: readonly ActivityKind[] | null): E[] {
  return Object.entries(table).flatMap(([kind, event]) =>
    asked === null || asked.some((each) => each === kind) ? [event] : [],
  );
}

export const vaultEvents = (asked: readonly ActivityKind[] | null): VaultEventKind[] =>
  eventsAmong<VaultEventKind>(VAULT_KINDS, asked);
export const lendingEvents = (asked: readonly ActivityKind[] | null): LendingEventKind[] =>
  eventsAmong<LendingEventKind>(LENDING_KINDS, asked);
export const farmEvents = (asked: readonly ActivityKind[] | null): StakerEventKind[] =>
  eventsAmong<StakerEventKind>(FARM_KINDS, asked);

export const queueEvents = (asked: readonly ActivityKind[] | null): QueueEventKind[] =>
  eventsAmong<QueueEventKind>(QUEUE_KINDS, asked);

const OF_VAULT_EVENT: Readonly<Record<VaultEventKind, VaultActivityKind | null>> = {
  deposit: 'VAULT_DEPOSIT',
  withdraw: 'VAULT_WITHDRAWAL',
  transferIn: 'SHARES_RECEIVED',
  transferOut: 'SHARES_SENT',
  invest: 'VAULT_INVEST',
  // Entries of the farm say the same.
  stake: null,
  unstake: null,
};

const OF_LENDING_EVENT: Readonly<Record<LendingEventKind, LendingActivityKind>> = {
  deposit: 'COLLATERAL_DEPOSIT',
  withdraw: 'COLLATERAL_WITHDRAWAL',
  borrow: 'BORROW',
  repay: 'REPAYMENT',
  liquidation: 'LIQUIDATION',
};

const OF_FARM_EVENT: Readonly<Record<StakerEventKind, FarmActivityKind>> = {
  stake: 'STAKE',
  unstake: 'UNSTAKE',
  withdraw: 'STAKE_WITHDRAWAL',
  harvest: 'REWARD',
};

const OF_QUEUE_EVENT: Readonly<Record<QueueEventKind, QueueActivityKind>> = {
  enqueue: 'QUEUE_ENTERED',
  withdraw: 'QUEUE_PAID',
  cancel: 'QUEUE_LEFT',
  recover: 'QUEUE_RETURNED',
};

/** @throws RangeError for an event that no filter asks for */
export function kindOfVaultEvent(event: VaultEventKind): VaultActivityKind {
  const kind = OF_VAULT_EVENT[event];
  if (kind === null) throw new RangeError(`a ${event} of shares is an entry of the farm`);
  return kind;
}

export const kindOfLendingEvent = (event: LendingEventKind): LendingActivityKind => OF_LENDING_EVENT[event];
export const kindOfQueueEvent = (event: QueueEventKind): QueueActivityKind => OF_QUEUE_EVENT[event];
export const kindOfFarmEvent = (event: StakerEventKind): FarmActivityKind => OF_FARM_EVENT[event];
