import { describe } from 'vitest';
import { invariantsSuite } from '../support/invariants/invariants-suite.ts';

describe('the accounts of the localnet', () => {
  invariantsSuite(10_000, 'long');
});
