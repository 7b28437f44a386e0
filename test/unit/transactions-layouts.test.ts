import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { IGNORED } from '../../src/domain/transactions/ignored-instructions.ts';
import * as rewards from '../../src/programs/farms/reward-instructions.ts';
import * as flashLoans from '../../src/programs/klend/flash-instructions.ts';
import * as liquidations from '../../src/programs/klend/liquidation-instructions.ts';
import * as positions from '../../src/programs/klend/position-instructions.ts';
import * as allocations from '../../src/programs/kvault/allocation-instructions.ts';

/** Instruction data starts with the hash of the instruction's name. */
function discriminatorOf(snakeName: string): string {
  return createHash('sha256').update(`global:${snakeName}`).digest('hex').slice(0, 16);
}

const snake = (name: string) =>
  name.replace(/V(\d)$/, '_v$1').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

describe('instructions besides the plain actions', () => {
  const layouts = [rewards, liquidations, positions, allocations, flashLoans].flatMap((group) =>
    Object.values(group),
  );

  it.each(layouts.map((layout) => [layout.name, layout] as const))(
    '%s starts with the hash of its name',
    (name, layout) => {
      expect(Buffer.from(layout.discriminator).toString('hex')).toBe(discriminatorOf(snake(name)));
    },
  );

  it.each(Object.values(IGNORED).flatMap((group) => Object.entries(group)))(
    '%s has the hash of its name as discriminator',
    (name, start) => {
      expect(start).toBe(discriminatorOf(name));
    },
  );

  it('knows the discriminator of Anchor events', () => {
    const tag = createHash('sha256').update('anchor:event').digest().subarray(0, 8);
    expect(Buffer.from(tag).reverse().toString('hex')).toBe('e445a52e51cb9a1d');
  });
});
