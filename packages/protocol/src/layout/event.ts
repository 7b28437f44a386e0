import { instructionLayout } from './instruction.ts';
import type { Fields } from './struct.ts';

/** Start of the data with which an Anchor program calls itself to record an event among its inner instructions. */
export const EVENT_TAG = 'e445a52e51cb9a1d';

/** An event, as the instruction that records it. `discriminator` is hex. */
export const eventLayout = <const F extends Fields>(name: string, discriminator: string, fields: F) =>
  instructionLayout(name, `${EVENT_TAG}${discriminator}`, fields, { eventAuthority: 'signer' });
