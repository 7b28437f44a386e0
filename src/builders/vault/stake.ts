import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { afterStake, farmStakeAt } from '../../domain/farm-stake.ts';
import type { Moment } from '../../domain/moment.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { ChangedAccounts } from '../account-changes.ts';
import { type Build, once } from '../action.ts';
import type { Amount } from '../amount.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { balanceWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { VaultAccounts, VaultFarm } from './accounts.ts';
import { putStake } from './farm-changes.ts';
import { type ShareAmountInput, sharesAsked } from './share-amount.ts';
import { stakeRentWarnings, stakeShares, warmUpWarnings } from './staking.ts';
import { stakingFigures } from './staking-preview.ts';
import { walletShares } from './withdraw.ts';

/** The farm of the vault. @throws BUILD_REFUSED when it has none */
export function farmOfVault({ farm, request }: VaultAccounts): VaultFarm {
  if (farm !== null) return farm;
  throw new SluiceError('BUILD_REFUSED', {
    reason: `vault ${request.vault} has no farm, so its shares cannot be staked`,
  });
}

/**
 * Stakes shares of the wallet in the vault's farm. "All" is what the wallet holds at execution.
 *
 * @example
 * buildStakeShares(accounts, { all: true }, moment);
 */
export function buildStakeShares(accounts: VaultAccounts, shares: ShareAmountInput, moment: Moment): Build {
  const farm = farmOfVault(accounts);
  const { unstaked } = walletShares(accounts);
  const asked: Amount = sharesAsked(accounts, shares, moment);
  if (asked === 'all' && unstaked === 0n) {
    const { vault, wallet } = accounts.request;
    throw new SluiceError('KVAULT_POSITION_NOT_FOUND', { vault, wallet });
  }
  const amount = asked === 'all' ? unstaked : asked;
  const action: BuiltAction = {
    amount,
    all: asked === 'all',
    wrappedSol: null,
    instructions: stakeShares(accounts, farm, asked),
  };
  const after = once(() => afterStake(farmStakeAt(farm.account, farm.stake, moment), amount));
  return {
    action,
    preview: () =>
      stakingFigures(
        accounts,
        { staked: farm.stake?.activeStakeScaled ?? 0n, unstaked },
        { staked: after().staked, unstaked: unstaked - amount },
        stakeWarnings(accounts, farm, amount),
      ),
    after(read) {
      const changes = new ChangedAccounts(read, accounts.payer);
      putStake(changes, accounts, farm, (before) => afterStake(before, amount), moment);
      changes.addTokens(accounts.shares.address, -amount);
      return changes.changes;
    },
    fresh: (before) => before,
  };
}

function stakeWarnings(accounts: VaultAccounts, { account }: VaultFarm, amount: bigint): BuildWarning[] {
  const decimals = Number(accounts.vault.sharesMintDecimals);
  const warnings = balanceWarnings(walletShares(accounts).unstaked, amount, decimals, 'unstaked shares');
  const { depositCapAmount: cap, totalStakedAmount, scopeOraclePriceId } = account;
  // A cap in the units of an oracle is not compared.
  if (scopeOraclePriceId === U64_MAX && cap !== 0n && totalStakedAmount + amount > cap) {
    const left = placePoint(cap > totalStakedAmount ? cap - totalStakedAmount : 0n, decimals);
    warnings.push(warning('STAKE_NOT_ALLOWED', `The farm accepts only ${left} more shares. Stake less.`));
  }
  return [...warnings, ...warmUpWarnings(accounts), ...stakeRentWarnings(accounts)];
}
