import {
  filled,
  maximumFill,
  minimumFill,
  type Overrides,
  overridden,
  randomFill,
  type Value,
  zeroFill,
} from './fill.ts';
import { normalised } from './normalise.ts';
import { Prng } from './prng.ts';
import { shapeOf } from './shape.ts';
import type { AccountCase, AccountVectors } from './vector-file.ts';

/** The part of the SDK's generated account classes that is used here. */
interface AccountClass<T> {
  readonly discriminator: Buffer;
  readonly layout: { readonly span: number; encode(value: T, target: Buffer, offset?: number): number };
  decode(data: Buffer): T;
}

export interface CaseInput<Fields> {
  name: string;
  note: string;
  /** Put over an all-zero account. */
  fields(prng: Prng): Overrides<Fields>;
}

/** Vectors for one Anchor account: the cases that every account has, then the given ones. */
export function anchorAccount<T, Fields>(
  file: string,
  account: string,
  program: string,
  type: AccountClass<T>,
  inputs: CaseInput<Fields>[],
): AccountVectors {
  const shape = shapeOf(type.layout);
  const size = type.layout.span + 8;
  const caseOf = (name: string, note: string, value: Value): AccountCase => {
    const bytes = Buffer.alloc(size);
    type.discriminator.copy(bytes);
    const written = type.layout.encode(value as T, bytes, 8);
    if (written !== type.layout.span) throw new Error(`${file}/${name}: ${written} of ${size - 8} bytes`);
    return { name, note, bytes, fields: normalised(shape, type.decode(Buffer.from(bytes))) };
  };
  const zero = filled(shape, zeroFill);
  const seeded = (name: string) => new Prng(`${program}/${account}/${name}`);
  return {
    file,
    account,
    program,
    size,
    discriminator: type.discriminator.toString('hex'),
    cases: [
      caseOf('all zero', 'only the discriminator is set', zero),
      caseOf('all maximum', 'every number at its largest value, bytes ff', filled(shape, maximumFill)),
      caseOf(
        'all minimum',
        'signed numbers at their smallest value, unsigned at 1',
        filled(shape, minimumFill),
      ),
      caseOf(
        'all random',
        'every field random, padding too',
        filled(shape, randomFill(seeded('all random'))),
      ),
      ...inputs.map(({ name, note, fields }) => caseOf(name, note, overridden(zero, fields(seeded(name))))),
    ],
  };
}
