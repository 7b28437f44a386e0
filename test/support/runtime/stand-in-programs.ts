import type { Address } from '@solana/kit';
import { customError } from '../../../src/demo/runtime/instruction-error.ts';
import type { Program } from '../../../src/demo/runtime/program.ts';
import { setStakeDelegated } from '../../../src/programs/farms/instructions.ts';
import { userState } from '../../../src/programs/farms/user-state.ts';
import { viewOf } from '../../../src/programs/layout/account.ts';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '../../../src/programs/program-ids.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../src/programs/token/token-account.ts';

/** Moves tokens for `transferChecked`, and knows nothing else. For tests of programs that call it. */
export const movingTokens: Program = {
  address: TOKEN_PROGRAM,
  run({ accounts, data }) {
    const [source, , destination] = accounts;
    if (source === undefined || destination === undefined || data[0] !== 12) throw customError(12);
    const amount = viewOf(data).getBigUint64(1, true);
    const from = decodeTokenAccount(source);
    if (from.amount < amount) throw customError(1);
    source.write(encodeTokenAccount({ ...from, amount: from.amount - amount }));
    const to = decodeTokenAccount(destination);
    destination.write(encodeTokenAccount({ ...to, amount: to.amount + amount }));
  },
};

/** Stores the stake of `setStakeDelegated`, and knows nothing else. */
export const stakingFarms: Program = {
  address: MAINNET_PROGRAMS.farms as Address,
  run({ accounts, data }) {
    const [, user] = accounts;
    if (user === undefined || data[0] !== setStakeDelegated.discriminator[0]) throw customError(101);
    const written = user.data.slice();
    const activeStakeScaled = viewOf(data).getBigUint64(8, true);
    userState.body.write(viewOf(written), 8, { activeStakeScaled });
    user.write(written);
  },
};
