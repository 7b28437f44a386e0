import type { SerializedObject, SharedObjects, SharedSelection } from '@sluice/graphql-executor';
import { textHash } from '@sluice/protocol/layout/text-hash';
import { growingLru } from '../node/growing-lru.ts';
import { viewCache } from '../services/request/per-view.ts';
import type { Session } from '../services/request/session.ts';

/** The request whose objects are shared. */
export interface SharingContext {
  readonly session: Session;
  /** Part of absolute URLs in an object. */
  readonly baseUrl?: string;
}

/**
 * Shares the JSON of nodes between requests on the same View. An object is shared only while the answer is fixed by the
 * View, and only for selections that have occurred before.
 */
export function sharedObjects({ session, baseUrl = '' }: SharingContext): SharedObjects {
  return {
    select(selection): SharedSelection | null {
      if (!hasOccurred(selection)) return null;
      const objects = objectsOf(session.view);
      const entries = objects.entries(`${baseUrl}\n${selection}`);
      if (entries === null) return null;
      return {
        get: (object) => entries.get(object),
        add(object, serialized) {
          if (session.isFixedByView) objects.add(entries, object, serialized);
        },
      };
    },
  };
}

/** Per View: about twenty large responses. */
const MAX_CHARACTERS = 8_000_000;
/** Approximate memory of an entry besides its JSON, counted as characters. */
const ENTRY_OVERHEAD = 200;

type Entries = Map<object, SerializedObject>;

/** The shared objects of one View. Nothing is evicted: a View lives for seconds, and a full cache takes no more. */
class ViewObjects {
  readonly #bySelection = new Map<string, Entries>();
  #characters = 0;

  /** Null when the cache is full. */
  entries(selection: string): Entries | null {
    const known = this.#bySelection.get(selection);
    if (known !== undefined) return known;
    if (!this.#reserve(selection.length)) return null;
    const entries: Entries = new Map();
    this.#bySelection.set(selection, entries);
    return entries;
  }

  add(entries: Entries, object: object, serialized: SerializedObject): void {
    if (this.#reserve(serialized.json.length)) entries.set(object, serialized);
  }

  #reserve(characters: number): boolean {
    this.#characters += characters + ENTRY_OVERHEAD;
    return this.#characters <= MAX_CHARACTERS;
  }
}

const viewObjects = viewCache<ViewObjects>();

function objectsOf(view: Session['view']): ViewObjects {
  const known = viewObjects.get(view);
  if (known !== undefined) return known;
  const objects = new ViewObjects();
  viewObjects.set(view, objects);
  return objects;
}

/** Hashes of selections: most occur once, and caching their objects would waste memory. */
const occurred = growingLru<number, true>(10_000);

function hasOccurred(selection: string): boolean {
  const hash = textHash(selection);
  const known = occurred.has(hash);
  occurred.set(hash, true);
  return known;
}
