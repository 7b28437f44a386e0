import { placePoint } from '@sluice/protocol/numeric/decimal';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import {
  afterActivation,
  type FarmStake,
  farmStakeAt,
  isCooledDown,
  isWarmedUp,
} from '../../domain/farm-stake.ts';
import type { Moment } from '../../domain/moment.ts';
import { type AccountChanges, ChangedAccounts } from '../account-changes.ts';
import type { Build } from '../action.ts';
import type { BuiltAction, BuiltInstruction } from '../built-instruction.ts';
import type { Preview } from '../preview.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import { createTokenAccount } from '../token-instructions.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { VaultAccounts } from './accounts.ts';
import { putStake } from './farm-changes.ts';
import { releaseWarnings } from './release-warnings.ts';
import { type ShareAmountInput, sharesAsked } from './share-amount.ts';
import { noShares, releaseInstructions, releaseOf, type ShareRelease, stakedUnits } from './share-release.ts';
import { farmOfVault } from './stake.ts';
import { stakingFigures } from './staking-preview.ts';
import { walletShares } from './withdraw.ts';

/**
 * Ends a stake of shares and returns them to the wallet as far as the farm's cooldown allows now. When everything is
 * unstaked already, it withdraws the shares whose cooldown is over.
 *
 * @example
 * buildUnstakeShares(accounts, { shares: parseDecimal('12.5') }, moment);
 */
export function buildUnstakeShares(accounts: VaultAccounts, amount: ShareAmountInput, moment: Moment): Build {
  const release = unstakingOf(accounts, amount, moment);
  const { unstakes } = release;
  const action: BuiltAction = {
    amount: unstakes === 'all' ? stakedUnits(activeBefore(release)) : (unstakes ?? 0n),
    all: unstakes === 'all',
    wrappedSol: null,
    instructions: instructionsOf(accounts, release),
  };
  return {
    action,
    preview: () => previewOf(accounts, release),
    after: (read) => changesOf(accounts, release, moment, read),
    fresh: (before) => before,
  };
}

const activeBefore = ({ before, activates }: Pick<ShareRelease, 'before' | 'activates'>): FarmStake =>
  activates ? afterActivation(before) : before;

function unstakingOf(accounts: VaultAccounts, amount: ShareAmountInput, moment: Moment): ShareRelease {
  const farm = farmOfVault(accounts);
  if (farm.stake === null) throw noShares(accounts, null);
  const asked = sharesAsked(accounts, amount, moment);
  const before = farmStakeAt(farm.account, farm.stake, moment);
  const activates = isWarmedUp(before);
  const isStaked = activeBefore({ before, activates }).staked > 0n;
  const takesDue = isCooledDown(before);
  if (!isStaked && !takesDue) throw noShares(accounts, before);
  return releaseOf(farm, before, {
    activates,
    takesDue,
    unstakes: isStaked ? asked : null,
    withdraws: farm.account.withdrawalCooldownPeriod === 0,
  });
}

function instructionsOf(accounts: VaultAccounts, release: ShareRelease): BuiltInstruction[] {
  const { request, payer, shares, vault } = accounts;
  const opening = createTokenAccount(
    { wallet: request.wallet, payer },
    shares.address,
    vault.sharesMint,
    TOKEN_PROGRAM,
    'the vault shares',
  );
  // Set-up of a withdrawal, but the action itself here.
  return [
    ...(release.takesDue || release.withdraws ? [opening] : []),
    ...releaseInstructions(accounts, release).map((each) => ({ ...each, setup: false })),
  ];
}

function previewOf(accounts: VaultAccounts, release: ShareRelease): Preview {
  const { unstaked } = walletShares(accounts);
  return stakingFigures(
    accounts,
    { staked: release.before.staked, unstaked },
    { staked: release.after.staked, unstaked: unstaked + release.received },
    [...aboveStake(accounts, release), ...releaseWarnings(accounts, release)],
  );
}

function changesOf(
  accounts: VaultAccounts,
  release: ShareRelease,
  moment: Moment,
  read: ReadAccounts,
): AccountChanges {
  const { request, payer, shares, vault } = accounts;
  const { farm, received } = release;
  const changes = new ChangedAccounts(read, payer);
  putStake(changes, accounts, farm, (before) => releaseOf(farm, before, release).after, moment);
  if (release.takesDue || release.withdraws) {
    const key = { owner: request.wallet, mint: vault.sharesMint, tokenProgram: TOKEN_PROGRAM };
    changes.openTokens(shares.address, key);
    changes.addTokens(shares.address, received);
  }
  return changes.changes;
}

function aboveStake({ vault }: VaultAccounts, release: ShareRelease): BuildWarning[] {
  const { unstakes } = release;
  const staked = stakedUnits(activeBefore(release));
  if (unstakes === null || unstakes === 'all' || unstakes <= staked) return [];
  const decimals = Number(vault.sharesMintDecimals);
  const message = `Only ${placePoint(staked, decimals)} shares are staked; no more than that is unstaked.`;
  return [warning('ABOVE_POSITION', message)];
}
