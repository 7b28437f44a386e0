import { z } from '@hono/zod-openapi';
import { parseInstant } from '../../services/history/instant.ts';
import { type AskedRange, rangeProblem } from '../../services/history/range.ts';
import type { Session } from '../../services/records.ts';
import { InvalidInput } from '../invalid-input.ts';

const SHOWN_LENGTH = 80;
const HOW = 'give ISO 8601 such as 2024-01-01T00:00:00.000Z, or milliseconds since the epoch, once';

/** A moment in any of the documented spellings. */
const date = (description: string) =>
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

const SPELLINGS =
  'ISO 8601 (2024-01-01T00:00:00.000Z, 2020-01-01T00:00Z, 2023-01-01; UTC without a zone) or milliseconds since the epoch';

/** Query parameters of a series. Hand them to `checkedRange` before anything is read. */
export const range = {
  start: date(`Start of the range, itself included. ${SPELLINGS}. 1970-01-01 when left out.`),
  end: date(`End of the range, itself not included. ${SPELLINGS}. Now when left out.`),
};

/** Refuses a range that starts after its end, as a validator does. */
export function checkedRange({ view }: Session, { start, end }: AskedRange): AskedRange {
  const problem = rangeProblem(view, { start, end });
  if (problem !== null) throw new InvalidInput([{ code: 'custom', path: ['start'], message: problem }]);
  return { start, end };
}

/** A moment in an answer. */
export const dateOut = (description: string) => z.iso.datetime().openapi({ description });
