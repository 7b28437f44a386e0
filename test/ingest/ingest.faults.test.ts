import { databases } from '../support/databases/test-databases.ts';
import { describeIngestFaults } from '../support/ingest/ingest-faults-suite.ts';

describeIngestFaults(databases().slice(0, 1), 2_100);
