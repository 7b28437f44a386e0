import type { SluiceError } from '@sluice/client';

type Path = readonly (string | number)[];

/**
 * Why the field at a path is null: the message of its error, or `otherwise` when null is an ordinary answer. An error
 * below the field made it null; an error above it made its parent null.
 */
export function absence(errors: readonly SluiceError[], path: Path, otherwise: string): string {
  return errors.find((error) => error.path.length > 0 && agree(error.path, path))?.message ?? otherwise;
}

const agree = (left: Path, right: Path): boolean =>
  left.slice(0, right.length).every((step, index) => step === right[index]);

/** Whether history is still being generated, so that the same query has more to say in a few seconds. */
export const isHistoryStarting = (errors: readonly SluiceError[]): boolean =>
  errors.some(({ code }) => code === 'HISTORY_STARTING');
