import type { Seasons } from './seasons.ts';

/** The seasons when none are configured. In a separate file so that it does not load the validation library. */
export const NO_SEASONS: Seasons = { seasons: [], benchmarkRates: [] };
