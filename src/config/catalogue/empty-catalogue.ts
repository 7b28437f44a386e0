import type { Catalogue } from './catalogue.ts';

/**
 * The catalogue when none is configured. In a separate file so that it does not load the validation library.
 */
export const EMPTY_CATALOGUE: Catalogue = {
  tokens: new Map(),
  markets: new Map(),
  currentSource: null,
  vaultCampaigns: [],
  lendingCampaigns: [],
  privateCreditVaults: new Set(),
  principalTokens: [],
  curators: new Map(),
};
