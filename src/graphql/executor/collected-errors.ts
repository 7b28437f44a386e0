import type { GraphQLError, ResponsePath } from 'graphql';

/** The errors of an answer. What fails below a place that is already null is told no more. */
export class CollectedErrors {
  readonly errors: GraphQLError[] = [];
  readonly #nulled = new Set<ResponsePath | undefined>();

  get count(): number {
    return this.errors.length;
  }

  /** Without a path the whole answer is null. */
  add(error: GraphQLError, path: ResponsePath | undefined): void {
    for (let place = path; place !== undefined; place = place.prev) {
      if (this.#nulled.has(place)) return;
    }
    if (this.#nulled.has(undefined)) return;
    this.#nulled.add(path);
    this.errors.push(error);
  }
}
