import { LOOKUP_TABLE_PROGRAM } from '@sluice/protocol/program-ids';
import { nativeProgram } from '../native.ts';
import { closeLookupTable } from './close-lookup-table.ts';
import { createLookupTable } from './create-lookup-table.ts';
import { deactivateLookupTable } from './deactivate-lookup-table.ts';
import { extendLookupTable } from './extend-lookup-table.ts';
import { freezeLookupTable } from './freeze-lookup-table.ts';

/** Typical of an instruction itself, without its calls of the system program. */
const UNITS = 4_000;

export const lookupTableProgram = nativeProgram(LOOKUP_TABLE_PROGRAM, UNITS, [
  createLookupTable,
  freezeLookupTable,
  extendLookupTable,
  deactivateLookupTable,
  closeLookupTable,
]);
