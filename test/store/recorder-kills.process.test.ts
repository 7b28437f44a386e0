import { describeRecorderKills } from '../support/recorder/recorder-kill-suite.ts';

// Many more in the long suite.
describeRecorderKills({ postgres: 2, pglite: 2 });
