import { customError } from '../../../src/demo/runtime/instruction-error.ts';
import type { Program } from '../../../src/demo/runtime/program.ts';
import { setStakeDelegated } from '../../../src/programs/farms/instructions.ts';
import { userState } from '../../../src/programs/farms/user-state.ts';
import { viewOf } from '../../../src/programs/layout/account.ts';
import { MAINNET_PROGRAMS } from '../../../src/programs/program-ids.ts';

/** Stores the stake of `setStakeDelegated`, and knows nothing else. */
export const stakingFarms: Program = {
  address: MAINNET_PROGRAMS.farms,
  run({ accounts, data }) {
    const [, user] = accounts;
    if (user === undefined || data[0] !== setStakeDelegated.discriminator[0]) throw customError(101);
    const written = user.data.slice();
    const activeStakeScaled = viewOf(data).getBigUint64(8, true);
    userState.body.write(viewOf(written), 8, { activeStakeScaled });
    user.write(written);
  },
};
