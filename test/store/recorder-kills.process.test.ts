import { vi } from 'vitest';
import { describeRecorderKills } from '../support/recorder/recorder-kill-suite.ts';

vi.setConfig({ testTimeout: 300_000 });

// Many more in the long suite.
describeRecorderKills({ postgres: 2, pglite: 2 });
