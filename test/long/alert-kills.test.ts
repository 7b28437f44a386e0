import { describeAlertKills } from '../support/alerts/alert-kill-suite.ts';

describeAlertKills(20);
