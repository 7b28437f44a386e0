import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { isCodedError } from '../errors/sluice-error.ts';
import type { AlertRow, Mark } from '../store/alerts/alert-rows.ts';
import type { Crossing, Note } from '../store/alerts/crossings.ts';
import { type Condition, type MetricReading, nextState, storedCondition } from './condition.ts';
import type { Figure } from './figures.ts';
import { outflowSince } from './outflow.ts';

/** An alert with its condition, as the leader keeps it. */
export interface WatchedAlert {
  readonly row: AlertRow;
  readonly condition: Condition;
}

/** A crossing with the figure that its message reports. */
export interface FoundCrossing extends Crossing {
  readonly watched: WatchedAlert;
  readonly figure: Figure;
}

export interface Evaluated {
  readonly crossings: readonly FoundCrossing[];
  /** Notes on alerts about which something changed. */
  readonly notes: readonly Note[];
  readonly unknown: number;
}

/** The alerts that this version understands. Alerts of a newer version are left to that version. */
export function watchedAlerts(rows: readonly AlertRow[]): readonly WatchedAlert[] {
  return rows.flatMap((row) => {
    try {
      return [{ row, condition: storedCondition(row) }];
    } catch (error) {
      if (isCodedError(error, 'ALERT_INVALID')) return [];
      throw error;
    }
  });
}

/** Compares the figures of a View with the states that receivers were last notified of. @param now time of the View */
export function evaluate(
  alerts: readonly WatchedAlert[],
  figureOf: (condition: Condition) => Figure,
  now: Date,
): Evaluated {
  const crossings: FoundCrossing[] = [];
  const notes: Note[] = [];
  let unknown = 0;
  for (const watched of alerts) {
    const { row, condition } = watched;
    const { figure, mark } = measured(watched, figureOf(condition), now);
    const state = nextState(condition, row.state, figure.reading);
    const isUnknown = state === null;
    if (isUnknown) unknown += 1;
    const isClear = state === 'CLEAR' && row.state === 'PENDING';
    if (isClear || isUnknown !== (row.unknownSince !== null) || mark !== row.mark)
      notes.push({ alert: row, isClear, isUnknown, mark });
    if (state === null || state === row.state || isClear) continue;
    const event = state === 'FIRING' ? 'FIRED' : 'CLEARED';
    crossings.push({ alert: row, event, value: textOfReading(figure.reading), watched, figure });
  }
  return { crossings, notes, unknown };
}

const textOfReading = (reading: MetricReading) =>
  reading.kind === 'value' ? toDecimalString(reading.value) : null;

/** The figure to compare: an outflow is measured from the alert's mark. */
function measured(
  { row, condition }: WatchedAlert,
  figure: Figure,
  now: Date,
): { readonly figure: Figure; readonly mark: Mark | null } {
  if (condition.metric !== 'VAULT_OUTFLOW' || figure.reading.kind !== 'value')
    return { figure, mark: row.mark };
  const { value, mark } = outflowSince(row.mark, figure.reading.value, now);
  return { figure: { ...figure, reading: { ...figure.reading, value } }, mark };
}

/** The alerts after an evaluation was written. */
export function applyEvaluation(
  alerts: readonly WatchedAlert[],
  { crossings, notes }: Evaluated,
  crossed: ReadonlySet<string>,
  now: Date,
): readonly WatchedAlert[] {
  const noted = new Map(notes.map((note) => [note.alert.id, note]));
  const states = new Map(crossings.map(({ alert, event }) => [alert.id, event]));
  return alerts.map((watched) => {
    const { row } = watched;
    const note = noted.get(row.id);
    const event = crossed.has(row.id) ? states.get(row.id) : undefined;
    if (note === undefined && event === undefined) return watched;
    const notified = event === 'FIRED' ? 'FIRING' : 'CLEAR';
    return {
      ...watched,
      row: {
        ...row,
        state: event === undefined ? (note?.isClear ? 'CLEAR' : row.state) : notified,
        unknownSince: note?.isUnknown ? (row.unknownSince ?? now) : null,
        mark: note === undefined ? row.mark : note.mark,
      },
    };
  });
}
