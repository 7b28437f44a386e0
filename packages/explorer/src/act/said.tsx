import type { ReactNode } from 'react';
import type { Words } from './act-words.ts';

/** A sentence with its figures in bold. */
export function Said({ words }: { readonly words: Words }): ReactNode {
  return words.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have no other name.
      <b className="value" key={index}>
        {part.strong.text}
      </b>
    ),
  );
}
