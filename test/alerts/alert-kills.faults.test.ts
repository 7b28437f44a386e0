import { describeAlertKills } from '../support/alerts/alert-kill-suite.ts';

// The long suite kills many more.
describeAlertKills(3);
