import { LOAN_TAGS } from '../lending/words.ts';

interface Tagged {
  /** Null when this version of the gateway does not know the number. */
  readonly tag: keyof typeof LOAN_TAGS | null;
  readonly tagNumber: number;
}

/** Purpose of a loan, in words. */
export const purposeOf = ({ tag, tagNumber }: Tagged): string =>
  tag === null ? `Purpose ${tagNumber}` : LOAN_TAGS[tag];
