/** The JSON of an object, and how many objects it counts for. */
export class SerializedObject {
  readonly nodes: number;
  #chunks: readonly string[];

  constructor(chunks: readonly string[], nodes: number) {
    this.#chunks = chunks;
    this.nodes = nodes;
  }

  /** Joined on first use: most objects are never reused. */
  get json(): string {
    if (this.#chunks.length === 1) return this.#chunks[0] ?? '';
    const json = this.#chunks.join('');
    this.#chunks = [json];
    return json;
  }
}
