import type { Answer, SluiceError } from '@sluice/client';

/** A row of a list with what explains its nulls. */
export interface ListedRow<Node> {
  readonly node: Node;
  /** Errors of the page that the row was read with. */
  readonly errors: readonly SluiceError[];
  /** Path of the row in that page. */
  readonly path: readonly (string | number)[];
}

/** The rows of all pages. A path starts anew on each page, so the errors of a page stay with its rows. */
export const listedRows = <Data, Node>(
  answers: readonly Pick<Answer<Data>, 'data' | 'errors'>[],
  nodesOf: (data: Data) => readonly Node[],
  path: readonly string[],
): ListedRow<Node>[] =>
  answers.flatMap(({ data, errors }) =>
    nodesOf(data).map((node, index) => ({ node, errors, path: [...path, index] })),
  );
