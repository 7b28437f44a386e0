import { GeyserError, GrpcStatus } from '@sluice/geyser';
import { base58ToBytes } from '@sluice/protocol/layout/base58-text';

const ADDRESS_BYTES = 32;
const MAX_NAME_BYTES = 128;

export function invalidFilter(why: string): GeyserError {
  return new GeyserError(GrpcStatus.INVALID_ARGUMENT, `failed to create filter: ${why}`);
}

export function addressSet(texts: readonly string[]): ReadonlySet<string> {
  for (const text of texts) {
    if (base58ToBytes(text)?.length !== ADDRESS_BYTES)
      throw invalidFilter(`invalid pubkey ${text.slice(0, 50)}`);
  }
  return new Set(texts);
}

/** Makes a test of each named filter. */
export function namedTests<F, T>(
  filters: ReadonlyMap<string, F>,
  make: (filter: F) => T,
): ReadonlyMap<string, T> {
  return new Map(
    [...filters].map(([name, filter]) => {
      if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw invalidFilter('oversized filter name');
      return [name, make(filter)];
    }),
  );
}

/** Names of the tests that a value passes. */
export function passed<V>(tests: ReadonlyMap<string, (value: V) => boolean>, value: V): string[] {
  return [...tests].filter(([, test]) => test(value)).map(([name]) => name);
}
