import type { Session } from '../services/records.ts';

/** Why an event is sent; of several causes the first one in this order. */
export type UpdateReason = 'INITIAL' | 'ACCOUNT' | 'PRICE' | 'ACCRUAL';
/** Why something is not as it was in an earlier View. */
export type ChangeReason = Exclude<UpdateReason, 'INITIAL'>;

/** One event of a stream: one thing as it is in one View. */
export interface Update<S = unknown> {
  /** Names the thing within its stream; a newer event about it makes an older one needless. */
  readonly id: string;
  /** Of the View in which it is told. */
  readonly slot: bigint;
  readonly reason: UpdateReason;
  readonly state: S;
}

/** What a stream tells of, how it is read, and when it counts as changed. */
export interface Subject<S> {
  /** All its things, by their ids. Throws when they cannot be read. */
  read(session: Session): Promise<ReadonlyMap<string, S>>;
  /** Null when there is nothing to tell. */
  change(before: S, after: S): ChangeReason | null;
}

/** A subject that is being looked at, View after View. */
export interface Watch {
  /** Everything as it is now, for somebody who has just come. */
  now(session: Session): Promise<readonly Update[]>;
  /** What is not as it was at the last look. */
  changes(session: Session): Promise<readonly Update[]>;
}

export function watchOf<S>(subject: Subject<S>): Watch {
  let last: ReadonlyMap<string, S> | null = null;
  const told = (session: Session, id: string, state: S, reason: UpdateReason): Update<S> => ({
    id,
    slot: session.view.moment.slot,
    reason,
    state,
  });
  return {
    async now(session) {
      const states = await subject.read(session);
      last ??= states;
      return [...states].map(([id, state]) => told(session, id, state, 'INITIAL'));
    },
    async changes(session) {
      const states = await subject.read(session);
      const before = last;
      last = states;
      return [...states].flatMap(([id, state]) => {
        const earlier = before?.get(id);
        const reason = earlier === undefined ? 'INITIAL' : subject.change(earlier, state);
        return reason === null ? [] : [told(session, id, state, reason)];
      });
    },
  };
}
