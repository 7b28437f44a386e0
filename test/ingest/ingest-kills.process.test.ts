import { describe, it } from 'vitest';
import { postgres } from '../support/databases/test-databases.ts';
import { expectNothingLost } from '../support/ingest/ingest-kills.ts';

describe.each(postgres())('ingestion that is killed, on $name', (kind) => {
  it('loses nothing and counts nothing twice', () => expectNothingLost(kind, 2), 300_000);
});
