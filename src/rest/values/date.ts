import { z } from '@hono/zod-openapi';
import { parseInstant } from '../../services/history/instant.ts';
import type { Session } from '../../services/request/session.ts';
import { type RangeInput, rangeProblem } from '../../services/request/time-range.ts';
import { InvalidInput } from '../operation/invalid-input.ts';

const SHOWN_LENGTH = 80;
const HOW = 'pass one value, ISO 8601 such as 2024-01-01T00:00:00.000Z or milliseconds since the Unix epoch';

/** An optional point in time, in any of the documented formats. */
export const dateIn = (description: string) =>
  z
    .string({ error: `must be a date: ${HOW}` })
    .transform((text, context): Date => {
      const instant = parseInstant(text);
      if (instant !== undefined) return instant;
      const message = `"${text.slice(0, SHOWN_LENGTH)}" is not a date: ${HOW}`;
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    })
    .optional()
    .openapi({ type: 'string', description });

/** The documented formats. */
export const FORMATS =
  'ISO 8601 (2024-01-01T00:00:00.000Z, 2020-01-01T00:00Z, 2023-01-01; UTC if no zone is given) or milliseconds since the Unix epoch';

/** Query parameters of a series. Pass them to `checkedRange` before reading anything. */
export const range = {
  start: dateIn(`Start of the range, inclusive. ${FORMATS}. Defaults to 1970-01-01.`),
  end: dateIn(`End of the range, exclusive. ${FORMATS}. Defaults to now.`),
};

/** The same for a series with the point at `end`, such as that of a midnight. Pass them to `inclusiveRange`. */
export const rangeWithEnd = {
  start: range.start,
  end: dateIn(
    `End of the range, inclusive: a point at \`end\` is in the answer. ${FORMATS}. Defaults to now.`,
  ),
};

/** The same in a JSON body, where milliseconds may be a number. */
export const bodyRange = {
  start: z.preprocess(asText, range.start),
  end: z.preprocess(asText, range.end),
};

function asText(given: unknown): unknown {
  return typeof given === 'number' ? String(given) : given;
}

/** Rejects a range that starts after its end, with a validation error. */
export function checkedRange({ view }: Session, { start, end }: RangeInput): RangeInput {
  const problem = rangeProblem(view, { start, end });
  if (problem !== null) throw new InvalidInput([{ code: 'custom', path: ['start'], message: problem }]);
  return { start, end };
}

/** A valid range whose end is inclusive, as the services take it: their ends are exclusive, and times have milliseconds. */
export function inclusiveRange(session: Session, asked: RangeInput): RangeInput {
  const { start, end } = checkedRange(session, asked);
  return { start, end: end && new Date(end.getTime() + 1) };
}

/** A point in time in an answer. */
export const dateOut = (description: string) => z.iso.datetime().openapi({ description });
