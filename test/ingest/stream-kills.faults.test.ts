import { describe, it } from 'vitest';
import { postgres } from '../support/databases/test-databases.ts';
import { expectStreamWhole } from '../support/ingest/stream-kills.ts';

describe.each(postgres())('a process that stores a stream and is killed, on $name', (kind) => {
  it('loses no event, stores none twice, and proves it', () => expectStreamWhole(kind, 4), 300_000);
});
