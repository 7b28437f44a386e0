import type { AllocationEventKind } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import type { EventKey, EventPage } from '../../store/transactions/event-order.ts';
import {
  readAllocationEvents,
  type StoredAllocationEvent,
  type TermsBefore,
} from '../../store/transactions/read-allocation-events.ts';
import { readInvestments, type StoredVaultEvent } from '../../store/transactions/read-vault-events.ts';
import { eventWindow, writeEventCursor } from '../history/transaction-cursor.ts';
import { fingerprintOf, type Page, type PageRequest } from '../paging/paging.ts';
import type { Platform } from '../platform/platform.ts';
import { ensureIngestedUntil, isPageKnown } from '../platform/transaction-source.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { type RangeInput, resolveRange } from '../request/time-range.ts';

export type AllocationChangeKind = 'SET_TARGET' | 'REMOVE' | 'SET_IDLE' | 'MOVE';

const EVENT_KINDS: Readonly<Record<Exclude<AllocationChangeKind, 'MOVE'>, AllocationEventKind>> = {
  SET_TARGET: 'setAllocation',
  REMOVE: 'removeAllocation',
  SET_IDLE: 'setUnallocated',
};

export interface AllocationChangeFilter {
  readonly kinds?: readonly AllocationChangeKind[] | null | undefined;
  readonly range?: RangeInput | null | undefined;
}

/** A change of a vault's targets, or a move of its tokens. */
export interface AllocationChange {
  readonly key: EventKey;
  readonly at: Date;
  readonly kind: AllocationChangeKind;
  readonly vault: VaultRecord;
  /** Null for what stays in the vault. */
  readonly reserve: Address | null;
  /** The admin who signed; for a move, the payer: anybody may start one. */
  readonly by: Address;
  /** Base units and weights, null where the change does not set them. */
  readonly terms: TermsBefore;
  /** Null where no earlier change of the same terms was read. */
  readonly before: TermsBefore;
  /** Base units that moved into the reserve; negative for the way back, null where nothing moved. */
  readonly moved: bigint | null;
}

/** A page of changes, newest first. */
export interface AllocationChangePage extends Page<AllocationChange> {
  /** Whether all transactions of the vaults were read from the chain. */
  readonly complete: boolean;
}

const NO_TERMS: TermsBefore = { weight: null, cap: null, collateralCap: null };

/** Moves follow the settings of their transaction: events of the two kinds are counted apart. */
const MOVES_FROM = 500_000;

/**
 * Changes of the targets of vaults, and moves of their tokens, in chain order.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, TRANSACTIONS_UNREAD, CURSOR_INVALID
 */
export async function allocationChanges(
  platform: Platform,
  session: Session,
  vaults: readonly VaultRecord[],
  filter: AllocationChangeFilter,
  request: PageRequest,
): Promise<AllocationChangePage> {
  const db = platform.historyFor(session, 'Changes of allocations');
  const addresses = vaults.map(({ address }) => address);
  const fingerprint = fingerprintOf(['allocation changes', addresses, filter]);
  const window = eventWindow(request, fingerprint);
  const { kinds } = filter;
  const settings = Object.entries(EVENT_KINDS).flatMap(([kind, event]) =>
    (kinds ?? [kind]).some((each) => each === kind) ? [event] : [],
  );
  const range = filter.range ? resolveRange(session.view, filter.range) : null;
  const times = range === null ? {} : { start: range.start, end: range.end };
  const byAddress = new Map(vaults.map((vault) => [vault.address, vault]));
  const read = async (among: readonly Address[]) => {
    const [set, moved] = await Promise.all([
      settings.length === 0
        ? []
        : readAllocationEvents(db, among, { kinds: settings, ...times }, window.page),
      (kinds?.includes('MOVE') ?? true) ? readInvestments(db, among, times, moveWindow(window.page)) : [],
    ]);
    const changes = [
      ...set.map((event) => settingOf(event, byAddress)),
      ...moved.map((event) => moveOf(event, byAddress)),
    ].filter((change) => change !== null);
    return inOrder(changes, window.page);
  };
  const statuses = await Promise.all(
    addresses.map((address) =>
      ensureIngestedUntil(platform, session, address, 'vault', (known) =>
        isPageKnown(known, window.page.limit, async () => (await read([address])).map(({ key }) => key)),
      ),
    ),
  );
  const { items, ...more } = window.cut(await read(addresses));
  return {
    items: items.map((item) => ({ cursor: writeEventCursor(item.key, fingerprint), item })),
    ...more,
    totalCount: null,
    complete: statuses.every(({ complete }) => complete),
  };
}

/** The same places, as investments count them. */
function moveWindow({ after, before, ...page }: EventPage): EventPage {
  const place = (key: EventKey | null | undefined) => key && { ...key, index: key.index - MOVES_FROM };
  return { ...page, after: place(after), before: place(before) };
}

function settingOf(
  event: StoredAllocationEvent,
  vaults: ReadonlyMap<Address, VaultRecord>,
): AllocationChange | null {
  const vault = vaults.get(event.vault);
  if (vault === undefined) return null;
  const { slot, place, signature, index, weight, cap, collateralCap } = event;
  const kind = (Object.keys(EVENT_KINDS) as (keyof typeof EVENT_KINDS)[]).find(
    (each) => EVENT_KINDS[each] === event.kind,
  );
  return {
    key: { slot, place, signature, index },
    at: new Date(event.time * 1_000),
    kind: kind ?? 'SET_TARGET',
    vault,
    reserve: event.reserve,
    by: event.signer,
    terms: { weight, cap, collateralCap },
    before: event.before,
    moved: null,
  };
}

function moveOf(event: StoredVaultEvent, vaults: ReadonlyMap<Address, VaultRecord>): AllocationChange | null {
  const vault = vaults.get(event.vault);
  if (vault === undefined) return null;
  const { slot, place, signature, index } = event;
  return {
    key: { slot, place, signature, index: index + MOVES_FROM },
    at: new Date(event.time * 1_000),
    kind: 'MOVE',
    vault,
    reserve: event.reserve,
    by: event.wallet,
    terms: NO_TERMS,
    before: NO_TERMS,
    moved: event.reserveTokens,
  };
}

/** The order of the page, and no more than it asks for. */
function inOrder(changes: readonly AllocationChange[], { order, limit }: EventPage): AllocationChange[] {
  const sorted = changes.toSorted((a, b) => compareKeys(a.key, b.key));
  if (order === 'newestFirst') sorted.reverse();
  return limit === null ? sorted : sorted.slice(0, limit);
}

function compareKeys(a: EventKey, b: EventKey): number {
  if (a.slot !== b.slot) return a.slot < b.slot ? -1 : 1;
  if (a.place !== b.place) return a.place - b.place;
  if (a.signature !== b.signature) return a.signature < b.signature ? -1 : 1;
  return a.index - b.index;
}
