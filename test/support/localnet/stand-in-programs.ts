import { customError } from '@sluice/localnet/runtime/instruction-error';
import type { Program } from '@sluice/localnet/runtime/program';
import { setStakeDelegated } from '@sluice/protocol/farms/instructions';
import { userState } from '@sluice/protocol/farms/user-state';
import { viewOf } from '@sluice/protocol/layout/account';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';

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
