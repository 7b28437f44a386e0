import type { Address } from '@solana/kit';
import { type GraphQLResolveInfo, responsePathAsArray } from 'graphql';
import type { ErrorCode } from '../errors/codes.ts';
import type { UnreadableAccounts } from '../services/request/records.ts';

/** An account that a list leaves out. */
export interface Warning {
  readonly code: ErrorCode;
  readonly message: string;
  readonly account: Address;
  /** Path of the list in the answer. */
  readonly path: readonly (string | number)[];
}

/** Bounds the size of an answer. */
const MAX_WARNINGS = 100;

/** The warnings of one answer, for `extensions.warnings`. */
export class Warnings {
  readonly #warnings = new Map<string, Warning>();
  #count = 0;

  /** Grows with each warning, including repeated ones and those beyond the limit. */
  get count(): number {
    return this.#count;
  }

  get list(): readonly Warning[] {
    return [...this.#warnings.values()];
  }

  /** Names the accounts that a list leaves out. A list inside the items of another is named once, by its first path. */
  leftOut({ path }: Pick<GraphQLResolveInfo, 'path'>, unreadable: UnreadableAccounts): void {
    if (unreadable.size === 0) return;
    const keys = responsePathAsArray(path);
    const list = keys.filter((key) => typeof key === 'string').join('.');
    for (const account of [...unreadable.keys()].sort()) {
      const error = unreadable.get(account);
      if (error === undefined) continue;
      this.#count += 1;
      const id = `${list} ${account}`;
      if (this.#warnings.size >= MAX_WARNINGS || this.#warnings.has(id)) continue;
      this.#warnings.set(id, { code: error.code, message: error.message, account, path: keys });
    }
  }
}
