import type { Admission } from '../../../src/http/allowance.ts';

/** Admits everything. */
export const UNLIMITED: Admission = {
  allowanceOf: () => ({
    client: '',
    isForStreams: false,
    keyId: null,
    streamToken: () => null,
    streamBudget: () => ({ id: '', isAdmitted: () => true, spend: () => true, charge: () => undefined }),
    spend: () => null,
    charge: () => undefined,
    headers: () => ({}),
  }),
};
