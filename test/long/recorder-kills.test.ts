import { describeRecorderKills } from '../support/recorder/recorder-kill-suite.ts';

describeRecorderKills({ postgres: 50, pglite: 5 });
