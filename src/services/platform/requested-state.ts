import { SluiceError } from '../../errors/sluice-error.ts';
import type { SessionRequest } from './platform.ts';

/** The state that a request wants to read, unparsed: header text, or values of a JSON object. */
export interface RequestedStateInput {
  readonly view?: unknown;
  readonly minSlot?: unknown;
}

/** Longer than any id, and short enough for an error message. */
const MAX_ID_LENGTH = 80;

/** Parses the requested View and minimum slot. */
export function requestedState({
  view,
  minSlot,
}: RequestedStateInput): Pick<SessionRequest, 'view' | 'minSlot'> {
  return { view: viewId(view), minSlot: wholeNumber('minSlot', minSlot) };
}

/** Ids are opaque: a text that is no id is treated as the id of a View that is gone. */
function viewId(given: unknown): string | undefined {
  if (given === undefined || given === null) return undefined;
  if (typeof given === 'string' || typeof given === 'number') return String(given).slice(0, MAX_ID_LENGTH);
  throw new SluiceError('BAD_REQUEST', {
    reason: 'view must be a string: the id of a View of an earlier answer.',
  });
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
