import { base58ToBytes } from '@sluice/protocol/layout/base58-text';
import { base64Bytes, type Config, integer, optionalText, record, textParam } from './params.ts';
import { invalidParams } from './rpc-error.ts';

const MAX_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;

/** A condition on an account's bytes. */
export type AccountFilter =
  | { readonly kind: 'dataSize'; readonly size: number }
  | { readonly kind: 'memcmp'; readonly offset: number; readonly bytes: Uint8Array };

/** The filters of a scan or subscription, cheapest first. */
export function parseFilters(config: Config): readonly AccountFilter[] {
  const list = config.filters ?? [];
  if (!Array.isArray(list)) throw invalidParams('Invalid params: expected a sequence of filters.');
  if (list.length > MAX_FILTERS)
    throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}, actual ${list.length}`);
  const filters = list.map(parseFilter);
  return [
    ...filters.filter(({ kind }) => kind === 'dataSize'),
    ...filters.filter(({ kind }) => kind === 'memcmp'),
  ];
}

export function matches(data: Uint8Array, filters: readonly AccountFilter[]): boolean {
  for (const filter of filters) {
    if (filter.kind === 'dataSize') {
      if (data.length !== filter.size) return false;
    } else {
      const { offset, bytes } = filter;
      if (offset + bytes.length > data.length) return false;
      for (let i = 0; i < bytes.length; i += 1) if (data[offset + i] !== bytes[i]) return false;
    }
  }
  return true;
}

function parseFilter(value: unknown): AccountFilter {
  const filter = record(value);
  if (filter.dataSize !== undefined) return { kind: 'dataSize', size: integer(filter.dataSize) };
  if (filter.memcmp === undefined) {
    throw invalidParams('Invalid params: unknown filter, expected `dataSize` or `memcmp`.');
  }
  const memcmp = record(filter.memcmp);
  const text = textParam([memcmp.bytes], 0);
  const encoding = optionalText(memcmp, 'encoding') ?? 'base58';
  if (encoding !== 'base58' && encoding !== 'base64') {
    throw invalidParams(
      `Invalid params: unknown variant \`${encoding}\`, expected \`base58\` or \`base64\`.`,
    );
  }
  const bytes = encoding === 'base58' ? base58ToBytes(text) : base64Bytes(text);
  if (bytes === null) throw invalidParams(`Invalid param: bytes are not ${encoding}`);
  if (bytes.length > MAX_MEMCMP_BYTES) {
    throw invalidParams(
      `Invalid param: encoded binary data should be less than ${MAX_MEMCMP_BYTES + 1} bytes`,
    );
  }
  return { kind: 'memcmp', offset: integer(memcmp.offset), bytes };
}
