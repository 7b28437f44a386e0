import { describeRecorderKills } from '../support/recorder-kill-suite.ts';

describeRecorderKills({ postgres: 50, pglite: 5 });
