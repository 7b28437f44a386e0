import { describe, it } from 'vitest';
import { postgres } from '../support/databases/test-databases.ts';
import { expectNothingLost } from '../support/ingest/ingest-kills.ts';

describe.each(postgres())('ingestion killed fifty times on $name', (kind) => {
  it('loses no event and counts none twice', () => expectNothingLost(kind, 50));
});
