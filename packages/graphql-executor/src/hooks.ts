import type { SerializedObject } from './serialized-object.ts';

/** Hooks of one execution, each optional. */
export interface ExecutionHooks {
  /** When it aborts, a pending execution rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  readonly counter?: NodeCounter | undefined;
  readonly shared?: SharedObjects | undefined;
  readonly notices?: NoticeCounter | undefined;
}

/** Counts what resolvers report outside of `data`. An object is not reused when resolving it added to the count. */
export interface NoticeCounter {
  readonly count: number;
}

/** Counts the objects of an answer. The caller's resolvers count objects as they are resolved. */
export interface NodeCounter {
  /** Objects counted so far. */
  readonly resolved: number;
  /** Counts objects that are reused instead of resolved. False: they have to be resolved again. */
  takeReused(count: number): boolean;
}

/** Serialized objects that several executions share. The caller decides which are shared, and for how long. */
export interface SharedObjects {
  /**
   * The objects serialized with one selection. Called at most once per selection and execution.
   *
   * @param selection canonical text: equal for two selections that produce the same JSON for the same object
   * @returns null when the selection is not shared
   */
  select(selection: string): SharedSelection | null;
}

export interface SharedSelection {
  get(object: object): SerializedObject | undefined;
  /** Offers an object that was serialized without an error. */
  add(object: object, serialized: SerializedObject): void;
}
