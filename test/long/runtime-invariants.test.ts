import { describe } from 'vitest';
import { invariantsSuite } from '../support/invariants/invariants-suite.ts';

describe('the accounts of the embedded chain', () => {
  invariantsSuite(10_000, 'long');
});
