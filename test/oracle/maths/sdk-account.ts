import { deflateRawSync } from 'node:zlib';
import { filled, type Overrides, overridden, zeroFill } from '../fill.ts';
import { shapeOf } from '../shape.ts';

interface AccountClass<T> {
  readonly discriminator: Buffer;
  readonly layout: { readonly span: number; encode(value: T, target: Buffer, offset?: number): number };
  decode(data: Buffer): T;
}

/** An account as the SDK reads it, with its bytes as they stand in a vector file. */
export interface SdkAccount<T> {
  readonly state: T;
  readonly data: string;
}

/** Fields put over an all-zero account, encoded and decoded again by the SDK. */
export function sdkAccount<T, Fields>(type: AccountClass<T>, fields: Overrides<Fields>): SdkAccount<T> {
  const bytes = Buffer.alloc(type.layout.span + 8);
  type.discriminator.copy(bytes);
  type.layout.encode(overridden(filled(shapeOf(type.layout), zeroFill), fields) as T, bytes, 8);
  return {
    state: type.decode(Buffer.from(bytes)),
    data: deflateRawSync(bytes, { level: 9 }).toString('base64'),
  };
}
