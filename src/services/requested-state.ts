import { SluiceError } from '../errors/sluice-error.ts';
import type { SessionRequest } from './platform.ts';

/** The state that a request wants to read, unparsed: header text, or values of a JSON object. */
export interface RequestedStateInput {
  readonly view?: unknown;
  readonly minSlot?: unknown;
}

/** Parses the requested View and minimum slot. */
export function requestedState({
  view,
  minSlot,
}: RequestedStateInput): Pick<SessionRequest, 'view' | 'minSlot'> {
  const number = wholeNumber('view', view);
  return {
    view: number === undefined ? undefined : Number(number),
    minSlot: wholeNumber('minSlot', minSlot),
  };
}

function wholeNumber(what: string, given: unknown): bigint | undefined {
  if (given === undefined || given === null) return undefined;
  const text = typeof given === 'string' || typeof given === 'number' ? String(given) : typeof given;
  if (!/^\d{1,15}$/.test(text)) {
    const value = text.slice(0, 40);
    throw new SluiceError('NUMBER_OUT_OF_RANGE', { what, value, min: '0', max: '999999999999999' });
  }
  return BigInt(text);
}
