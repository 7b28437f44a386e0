const ASKED = 'sluice:search';

/** Puts the cursor into the search of the header. */
export const focusSearch = (): boolean => dispatchEvent(new Event(ASKED));

/** Calls back when the search is asked for, by a button of a page. Returns how to stop. */
export function onSearchAsked(asked: () => void): () => void {
  addEventListener(ASKED, asked);
  return () => removeEventListener(ASKED, asked);
}
