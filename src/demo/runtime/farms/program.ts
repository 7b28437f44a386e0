import { FARM_ERRORS } from '../../../programs/error-names.ts';
import { MAINNET_PROGRAMS } from '../../../programs/program-ids.ts';
import { anchorProgram } from '../anchor.ts';
import { initializeUser } from './initialize-user.ts';
import { setStakeDelegated } from './set-stake-delegated.ts';

export const farmsProgram = anchorProgram(MAINNET_PROGRAMS.farms, FARM_ERRORS, [
  initializeUser,
  setStakeDelegated,
]);
