import { stake as layout } from '@sluice/protocol/farms/instructions';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import { transfer } from '@sluice/protocol/token/instructions';
import { ANCHOR_ERRORS, anchorInstruction, ensure } from '../anchor.ts';
import { checkHasOne, checkProgram, loadMint } from '../anchor-accounts.ts';
import { FARM } from './farm-errors.ts';
import { FarmModel } from './farm-model.ts';
import { activateDueDeposit } from './pending-deposit.ts';
import { refuseRemaining } from './remaining-accounts.ts';
import { creditRewards, excludePastRewards, issueRewards } from './rewards.ts';
import { loadScopePrice, type ScopePrice } from './scope-price.ts';
import { checkStakerTokens, checkStakeVault, loadStakeTokens } from './stake-vault.ts';
import { addActive, addPendingDeposit, checkDepositCap } from './stakes.ts';
import { UserModel } from './user-model.ts';

/** Moves tokens of the staker into the farm. */
export const stake = anchorInstruction(layout, 24_000, ({ invocation, accounts, args, remaining }) => {
  const { owner, userState, farmState, farmVault, userAta, tokenMint, tokenProgram } = accounts;
  const user = new UserModel(userState);
  const farm = new FarmModel(farmState);
  const vault = loadStakeTokens(farmVault);
  const tokens = loadStakeTokens(userAta);
  loadMint(tokenMint);
  ensure(tokenMint.owner === TOKEN_PROGRAM, ANCHOR_ERRORS.accountOwnedByWrongProgram);
  checkProgram(tokenProgram, TOKEN_PROGRAM);
  checkHasOne(user.state.owner, owner);
  checkHasOne(user.state.farmState, farmState);
  checkHasOne(farm.state.farmVault, farmVault);
  checkStakeVault(invocation, farm, farmVault, vault);
  checkStakerTokens(farm, owner, tokens);
  ensure(tokenMint.address === farm.state.token.mint, FARM.tokenFarmTokenMintMissmatch);

  ensure(args.amount !== 0n, FARM.stakeZero);
  refuseRemaining(remaining);
  const price = loadScopePrice(farm, accounts.scopePrices);
  const amount = args.amount === U64_MAX ? tokens.amount : args.amount;
  ensure(!farm.isDelegated, FARM.farmDelegated);
  addStake(farm, user, amount, price, farm.now(invocation.clock));
  farm.save();
  user.save();
  if (amount === 0n) return;
  const path = { source: userAta.address, destination: farmVault.address, owner: owner.address };
  invocation.invoke(transfer.encode(tokenProgram.address, path, { amount }));
});

function addStake(
  farm: FarmModel,
  user: UserModel,
  amount: bigint,
  price: ScopePrice | null,
  ts: bigint,
): void {
  issueRewards(farm, price, ts);
  creditRewards(farm, user);
  activateDueDeposit(farm, user, ts);
  checkDepositCap(farm, amount, price, ts);
  const { depositWarmupPeriod } = farm.state;
  if (depositWarmupPeriod > 0) {
    // A further deposit restarts the warm-up of one that is still pending.
    user.pendingDepositStakeTs = ts + BigInt(depositWarmupPeriod);
    addPendingDeposit(farm, user, amount);
  } else {
    excludePastRewards(farm, user, addActive(farm, user, amount));
  }
  user.lastStakeTs = ts;
}
