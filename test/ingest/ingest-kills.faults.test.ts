import { describe, it } from 'vitest';
import { postgres } from '../support/databases/test-databases.ts';
import { expectNothingLost } from '../support/ingest/ingest-kills.ts';

describe.each(postgres())('ingestion that is killed, on $name', (kind) => {
  it('loses no event and counts none twice', () => expectNothingLost(kind, 2), 300_000);
});
