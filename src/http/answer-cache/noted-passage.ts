import type { AnswerNote } from '../answer-note.ts';
import type { Passage } from '../pipeline.ts';

/** A request on its way that says when its answer is for its caller alone: a token in it is nobody else's. */
export function notedPassage(passage: Passage, note: AnswerNote): Passage & { readonly note: AnswerNote } {
  const { allowance } = passage;
  return {
    ...passage,
    note,
    allowance: {
      client: allowance.client,
      streamToken() {
        note.beyondView = true;
        return allowance.streamToken();
      },
      spend: (cost) => allowance.spend(cost),
      charge: (cost) => allowance.charge(cost),
      headers: () => allowance.headers(),
    },
  };
}
