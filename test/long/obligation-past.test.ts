import { describeObligationPast } from '../support/history/obligation-past-suite.ts';

describeObligationPast(3);
