import { farmUserState } from '@sluice/protocol/farms/addresses';
import { farmState } from '@sluice/protocol/farms/farm-state';
import { unstake, withdrawUnstakedDeposits } from '@sluice/protocol/farms/instructions';
import { MAINNET_PROGRAMS, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { associatedTokenAddress } from '@sluice/protocol/token/addresses';
import {
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { WorldChain } from './world/world-chain.ts';

/** Ten shares, times 10^18. */
const STAKE_SHARES_SCALED = 10n * 10n ** 6n * 10n ** 18n;

/** An unsigned transaction for examples: the wallet of the examples unstakes ten shares of the vault of the examples. */
export function exampleTransaction(chain: WorldChain): string {
  const { wallet: owner, farm, sharesMint } = chain.addresses;
  const { farms } = MAINNET_PROGRAMS;
  const account = chain.account(farm);
  if (account === undefined) throw new RangeError('the vault of the examples has a farm');
  const { farmVault, farmVaultsAuthority } = farmState.decode(account, farms);
  const userState = farmUserState(farms, farm, owner).address;
  const userAta = associatedTokenAddress(owner, TOKEN_PROGRAM, sharesMint).address;
  const staked = { owner, userState, farmState: farm };
  const vaults = { userAta, farmVault, farmVaultsAuthority, tokenProgram: TOKEN_PROGRAM };
  const { blockhash, lastValidBlockHeight } = chain.blockhash();
  const transaction = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (message) => setTransactionMessageFeePayer(owner, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight },
        message,
      ),
    (message) =>
      appendTransactionMessageInstructions(
        [
          unstake.encode(farms, { ...staked, scopePrices: null }, { stakeSharesScaled: STAKE_SHARES_SCALED }),
          withdrawUnstakedDeposits.encode(farms, { ...staked, ...vaults }, {}),
        ],
        message,
      ),
    compileTransaction,
  );
  return getBase64EncodedWireTransaction(transaction);
}
