import type { Catalogue } from './catalogue.ts';

/** What is known off chain where nobody has written a catalogue. By itself: checking a file takes a library, which is much code. */
export const EMPTY_CATALOGUE: Catalogue = {
  tokens: new Map(),
  markets: new Map(),
  currentSource: null,
  vaultCampaigns: [],
  lendingCampaigns: [],
  privateCreditVaults: new Set(),
};
