import { createHash } from 'node:crypto';
import type { ApiKey } from '../../../src/limits/keys/api-key.ts';

/** The same in every process of a test run, which share recorded databases. */
const ID = '00000000000000c1';
const SECRET = 'contract'.padEnd(43, '0');

/** An API key of the operator, for operations that need one. */
export const CONTRACT_KEY = `sluice_${ID}_${SECRET}`;

export const STORED_CONTRACT_KEY: ApiKey = {
  id: ID,
  name: 'contract',
  hash: createHash('sha256').update(SECRET).digest(),
  /** More than any test spends, so that answers tell what is left. */
  limit: 100_000_000,
  origins: [],
  createdAt: new Date(0),
  revokedAt: null,
};

/** Paths of the operations that need a key. */
const KEYED = /^\/(?:v[23]\/svc-market\/[^/]*|kvaults)\/transactions(?:\?|$)/;

/** The header with the key, for a path that needs one. */
export const keyFor = (path: string): Readonly<Record<string, string>> =>
  KEYED.test(path) ? { 'x-api-key': CONTRACT_KEY } : {};
