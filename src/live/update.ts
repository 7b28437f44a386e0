import type { Session } from '../services/request/session.ts';

/** Why an event is sent; of several reasons the first one in this order. */
export type UpdateReason = 'INITIAL' | 'ACCOUNT' | 'PRICE' | 'ACCRUAL';
/** Why a state differs from that of an earlier View. */
export type ChangeReason = Exclude<UpdateReason, 'INITIAL'>;

/** One event of a stream: the state of one item in one View. */
export interface Update<S = unknown> {
  /** Identifies the item within its stream; a newer event supersedes an older one with the same id. */
  readonly id: string;
  /** Slot of the View. */
  readonly slot: bigint;
  readonly reason: UpdateReason;
  readonly state: S;
}

/** Subject of a subscription: how its items are read, and when one counts as changed. */
export interface Subject<S> {
  /** All items by id. @throws when they cannot be read */
  read(session: Session): Promise<ReadonlyMap<string, S>>;
  /** Null when nothing changed that subscribers care about. */
  change(before: S, after: S): ChangeReason | null;
  /** Whether an item can change no more. The stream ends when none can. Absent: it never ends. */
  isFinal?(state: S): boolean;
}

/** A subject that is read once per View. */
export interface Watch {
  /** The present state of all items, for a new subscriber. */
  snapshot(session: Session): Promise<readonly Update[]>;
  /** The items that changed since the last committed call. */
  changes(session: Session): Promise<Changes>;
  /** Whether no more changes can follow those that were committed. */
  isOver(): boolean;
}

export interface Changes {
  readonly updates: readonly Update[];
  /** Called when the events have been produced: what is not committed is found again in the next View. */
  commit(): void;
}

export const NO_CHANGES: Changes = { updates: [], commit: () => undefined };

export function watchOf<S>(subject: Subject<S>): Watch {
  let last: ReadonlyMap<string, S> | null = null;
  const update = (session: Session, id: string, state: S, reason: UpdateReason): Update<S> => ({
    id,
    slot: session.view.moment.slot,
    reason,
    state,
  });
  const { isFinal } = subject;
  return {
    isOver: () => isFinal !== undefined && last !== null && [...last.values()].every(isFinal),
    async snapshot(session) {
      const states = await subject.read(session);
      last ??= states;
      return [...states].map(([id, state]) => update(session, id, state, 'INITIAL'));
    },
    async changes(session) {
      const states = await subject.read(session);
      const updates = [...states].flatMap(([id, state]) => {
        const earlier = last?.get(id);
        const reason = earlier === undefined ? 'INITIAL' : subject.change(earlier, state);
        return reason === null ? [] : [update(session, id, state, reason)];
      });
      return {
        updates,
        commit() {
          last = states;
        },
      };
    },
  };
}
