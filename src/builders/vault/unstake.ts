import {
  afterUnstake,
  afterWithdrawal,
  type StakePools,
  stakePools,
  unstakePenaltyBps,
} from '../../domain/farm-stake.ts';
import type { Moment } from '../../domain/moment.ts';
import { farmTime } from '../../domain/reward-schedule.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { placePoint } from '../../numeric/decimal.ts';
import { U64_MAX, WAD } from '../../numeric/fraction.ts';
import { type UserState, userState } from '../../programs/farms/user-state.ts';
import { TOKEN_PROGRAM } from '../../programs/program-ids.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import { once } from '../action.ts';
import { type Build, type ShareAmountInput, sharesAsked } from '../actions.ts';
import type { Amount } from '../amount.ts';
import type { BuiltAction, BuiltInstruction } from '../built-instruction.ts';
import type { Preview } from '../preview.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { createTokenAccount } from '../token-instructions.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { VaultAccounts, VaultFarm } from './accounts.ts';
import { farmOfVault } from './stake.ts';
import { writePools } from './stake-changes.ts';
import { endStake, withdrawUnstaked } from './staking.ts';
import { stakingFigures } from './staking-preview.ts';
import { walletShares } from './withdraw.ts';

/** What an unstaking does, in order. */
interface Unstaking {
  readonly farm: VaultFarm;
  readonly stake: UserState;
  /** Whether shares of an earlier unstaking are withdrawn first. The program refuses to unstake more before that. */
  readonly withdrawsDue: boolean;
  /** Base units of shares, or the whole stake; null when only the earlier ones are withdrawn. */
  readonly asked: Amount | null;
  /** Whether the shares can be withdrawn at once, because the farm has no cooldown. */
  readonly withdrawsNow: boolean;
}

/**
 * Ends a stake of shares and returns them to the wallet as far as the farm's cooldown allows now. When everything is
 * unstaked already, "all" withdraws the shares whose cooldown is over.
 */
export function buildUnstakeShares(accounts: VaultAccounts, input: ShareAmountInput, moment: Moment): Build {
  const unstaking = unstakingOf(accounts, input, moment);
  const { asked, farm } = unstaking;
  const action: BuiltAction = {
    amount: asked === 'all' ? farm.staked : (asked ?? 0n),
    all: asked === 'all',
    wrappedSol: null,
    instructions: instructionsOf(accounts, unstaking),
  };
  const outcome = once(() => outcomeOf(unstaking, moment));
  return {
    action,
    preview: () => previewOf(accounts, unstaking, outcome()),
    after: (read) => changesOf(accounts, unstaking, outcome(), moment, read),
    fresh: (before) => before,
  };
}

function unstakingOf(accounts: VaultAccounts, input: ShareAmountInput, moment: Moment): Unstaking {
  const farm = farmOfVault(accounts);
  const { stake } = farm;
  const { vault, wallet } = accounts.request;
  if (stake === null) throw new SluiceError('KVAULT_POSITION_NOT_FOUND', { vault, wallet });
  const asked = sharesAsked(accounts, input, moment.slot);
  const wait = stake.pendingWithdrawalUnstakeTs - farmTime(farm.account, moment);
  const isPending = stake.pendingWithdrawalUnstakeScaled > 0n;
  const withdrawsDue = isPending && wait <= 0n;
  if (stake.activeStakeScaled === 0n && !withdrawsDue) {
    if (!isPending) throw new SluiceError('KVAULT_POSITION_NOT_FOUND', { vault, wallet });
    const reason = `all shares are unstaked; they can be withdrawn in ${wait} seconds`;
    throw new SluiceError('BUILD_REFUSED', { reason });
  }
  return {
    farm,
    stake,
    withdrawsDue,
    asked: stake.activeStakeScaled === 0n ? null : asked,
    withdrawsNow: farm.account.withdrawalCooldownPeriod === 0,
  };
}

function instructionsOf(accounts: VaultAccounts, what: Unstaking): BuiltInstruction[] {
  const { request, payer, shares, vault } = accounts;
  const { farm, withdrawsDue, asked, withdrawsNow } = what;
  const opening = createTokenAccount(
    { wallet: request.wallet, payer },
    shares.address,
    vault.sharesMint,
    TOKEN_PROGRAM,
    'the vault shares',
  );
  const unstaking = [
    ...(withdrawsDue ? [withdrawUnstaked(accounts, farm)] : []),
    ...(asked === null ? [] : [endStake(accounts, farm, asked)]),
    ...(asked !== null && withdrawsNow ? [withdrawUnstaked(accounts, farm)] : []),
  ];
  // Set-up of a withdrawal, but the action itself here.
  return [
    ...(withdrawsDue || withdrawsNow ? [opening] : []),
    ...unstaking.map((each) => ({ ...each, setup: false })),
  ];
}

/** The state after an unstaking. */
interface UnstakeOutcome {
  readonly pools: StakePools;
  /** Base units of shares that the wallet receives. */
  readonly received: bigint;
  /** Base units that the farm keeps. */
  readonly penalty: bigint;
  /** Null when the farm does not release the stake yet. */
  readonly penaltyBps: bigint | null;
}

function outcomeOf(
  { farm, stake, withdrawsDue, asked, withdrawsNow }: Unstaking,
  moment: Moment,
): UnstakeOutcome {
  const penaltyBps = unstakePenaltyBps(farm.account, stake, moment);
  const due = withdrawsDue
    ? afterWithdrawal(stakePools(farm.account, stake))
    : { pools: stakePools(farm.account, stake), paid: 0n };
  if (asked === null) return { pools: due.pools, received: due.paid, penalty: 0n, penaltyBps };
  const { pools, penalty } = afterUnstake(
    due.pools,
    (asked === 'all' ? U64_MAX : asked) * WAD,
    penaltyBps ?? 0n,
  );
  const now = withdrawsNow ? afterWithdrawal(pools) : { pools, paid: 0n };
  return { pools: now.pools, received: due.paid + now.paid, penalty, penaltyBps };
}

function previewOf(accounts: VaultAccounts, unstaking: Unstaking, outcome: UnstakeOutcome): Preview {
  const { unstaked } = walletShares(accounts);
  return stakingFigures(
    accounts,
    { staked: unstaking.stake.activeStakeScaled, unstaked },
    { staked: outcome.pools.staked, unstaked: unstaked + outcome.received },
    unstakeWarnings(accounts, unstaking, outcome),
  );
}

function changesOf(
  accounts: VaultAccounts,
  { farm, asked }: Unstaking,
  { pools, received }: UnstakeOutcome,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { request, payer, shares, vault } = accounts;
  const { wallet, programs } = request;
  const changes = new ChangedAccounts(read, payer);
  writePools(changes, farm, pools, { wallet, farms: programs.farms });
  if (asked !== null) {
    const ts = farmTime(farm.account, moment) + BigInt(farm.account.withdrawalCooldownPeriod);
    changes.patch(farm.user, userState, { pendingWithdrawalUnstakeTs: ts });
  }
  if (received > 0n) {
    changes.openTokens(shares.address, {
      owner: wallet,
      mint: vault.sharesMint,
      tokenProgram: TOKEN_PROGRAM,
    });
    changes.addTokens(shares.address, received);
  }
  return changes.changes;
}

function unstakeWarnings(
  { vault }: VaultAccounts,
  { farm, asked }: Unstaking,
  { penalty, penaltyBps }: UnstakeOutcome,
): BuildWarning[] {
  if (asked === null) return [];
  const decimals = Number(vault.sharesMintDecimals);
  const warnings: BuildWarning[] = [];
  if (asked !== 'all' && asked > farm.staked) {
    const message = `Only ${placePoint(farm.staked, decimals)} shares are staked; no more than that is unstaked.`;
    warnings.push(warning('ABOVE_POSITION', message));
  }
  const { withdrawalCooldownPeriod: seconds } = farm.account;
  if (seconds > 0) {
    const message = `The shares can be withdrawn in ${seconds} seconds. Unstake again then to receive them.`;
    warnings.push(warning('UNSTAKE_COOLDOWN', message));
  }
  if (penaltyBps === null) {
    const message = 'The farm does not release stakes before the end of their locking period. Wait for it.';
    warnings.push(warning('STAKE_NOT_ALLOWED', message));
  } else if (penalty > 0n) {
    const message = `The farm keeps ${placePoint(penalty, decimals)} shares because the stake is still locked.`;
    warnings.push(warning('WITHDRAWAL_PENALTY', message));
  }
  return warnings;
}
