import { isOption, isSome } from '@solana/kit';
import type { Json } from './normalise.ts';

/** A value that a kit codec decoded: bigint as decimal text, an option as its value or null, bytes as hex. */
export function kitNormalised(decoded: unknown): Json {
  if (typeof decoded === 'bigint') return decoded.toString();
  if (typeof decoded === 'number' || typeof decoded === 'boolean' || typeof decoded === 'string')
    return decoded;
  if (isOption(decoded)) return isSome(decoded) ? kitNormalised(decoded.value) : null;
  if (decoded instanceof Uint8Array) return Buffer.from(decoded).toString('hex');
  if (decoded instanceof Map) return [...decoded].map((entry) => entry.map(kitNormalised));
  if (Array.isArray(decoded)) return decoded.map(kitNormalised);
  if (typeof decoded === 'object' && decoded !== null) {
    const entries = Object.entries(decoded).filter(([name]) => name !== '__kind');
    return Object.fromEntries(entries.map(([name, value]) => [name, kitNormalised(value)]));
  }
  throw new Error(`cannot normalise ${typeof decoded}`);
}
