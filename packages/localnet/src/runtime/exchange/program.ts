import { anchorProgram } from '../anchor.ts';
import { EXCHANGE_PROGRAM } from './addresses.ts';
import { EXCHANGE_ERRORS } from './errors.ts';
import { route } from './route.ts';

/** Swaps every token of a reserve for any other, with the instruction of the Jupiter router. */
export const exchangeProgram = anchorProgram(EXCHANGE_PROGRAM, EXCHANGE_ERRORS, [route]);
