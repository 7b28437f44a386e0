import { describeRecorderKills } from '../support/recorder/recorder-kill-suite.ts';

// The long suite kills many more.
describeRecorderKills({ postgres: 2, pglite: 2 });
