import type { GraphQLError, ResponsePath } from 'graphql';

/** The errors of a response. An error below a field that is already null is dropped. */
export class CollectedErrors {
  readonly errors: GraphQLError[] = [];
  /** Undefined stands for `data` itself. */
  readonly #nulled = new Set<ResponsePath | undefined>();

  get count(): number {
    return this.errors.length;
  }

  /** @param path the field that becomes null; undefined when `data` does */
  add(error: GraphQLError, path: ResponsePath | undefined): void {
    for (let ancestor = path; ancestor !== undefined; ancestor = ancestor.prev) {
      if (this.#nulled.has(ancestor)) return;
    }
    if (this.#nulled.has(undefined)) return;
    this.#nulled.add(path);
    this.errors.push(error);
  }
}
