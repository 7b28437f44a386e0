import { topupRewards, withdrawRewards } from '@sluice/protocol/kvault/curator-instructions';
import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import type { Instant } from '../../domain/moment.ts';
import { releasedRewards } from '../../domain/vault-assets.ts';
import type { Amount } from '../amount.ts';
import { type ActionOptions, type BuiltAction, instruction } from '../built-instruction.ts';
import { changed } from '../changed-account.ts';
import { wholeBalance } from '../lending/terms.ts';
import { closesWrappedSol, createTokenAccount, unwrapSol, wrapSol } from '../token-instructions.ts';
import { balanceWarnings, wrappedSolWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { CuratorAccounts } from './accounts.ts';
import type { CuratorBuild } from './curator-action.ts';
import { checkAdmin } from './refusals.ts';

/** The vault once its rewards are released up to now. The program looks at nothing else. */
function released(vault: VaultState, at: Instant): VaultState {
  const { tokenAvailable, rewardsAvailable, lastIssuanceTs } = releasedRewards(vault, at.timestamp);
  const rewardInfo = changed(vault.rewardInfo, { rewardsAvailable, lastIssuanceTs });
  return changed(vault, { tokenAvailable, rewardInfo });
}

/** Adds tokens that the vault releases to its shareholders. Anyone may. */
export function buildTopUpRewards(
  accounts: CuratorAccounts,
  asked: Amount,
  at: Instant,
  { unwrapSol: unwrap }: ActionOptions = {},
): CuratorBuild {
  const { request, payer, vault, token, tokenProgram, symbol, isSol } = accounts;
  const { wallet } = request;
  const held = token.account?.amount ?? 0n;
  const amount = asked === 'all' ? wholeBalance(held, isSol, accounts.walletLamports, symbol) : asked;
  const closes = isSol && closesWrappedSol('out', token, unwrap);
  const built = instruction(
    topupRewards,
    request.programs.kvault,
    {
      payer: wallet,
      vaultState: request.vault,
      tokenMint: vault.tokenMint,
      tokenVault: vault.tokenVault,
      payerTokenTa: token.address,
      tokenProgram,
    },
    { amount },
    {
      summary: `Add ${placePoint(amount, Number(vault.tokenMintDecimals))} ${symbol} to the rewards of the vault`,
    },
  );
  const action: BuiltAction = {
    amount,
    all: false,
    wrappedSol: isSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      ...(isSol
        ? [
            createTokenAccount({ wallet, payer }, token.address, vault.tokenMint, tokenProgram, symbol),
            ...wrapSol(wallet, token.address, amount),
          ]
        : []),
      built,
      ...(closes ? [unwrapSol(wallet, token.address)] : []),
    ],
  };
  const before = released(vault, at);
  const { rewardPerSecond, rewardsAvailable, lastIssuanceTs } = before.rewardInfo;
  const rewardInfo = changed(before.rewardInfo, {
    rewardsAvailable: rewardsAvailable + amount,
    lastIssuanceTs: rewardPerSecond > 0n ? at.timestamp : lastIssuanceTs,
  });
  const funds = isSol ? (accounts.walletLamports ?? 0n) : held;
  return {
    action,
    effect: {
      vault: changed(before, { rewardInfo }),
      reserves: new Map(),
      received: -amount,
      wrapped: isSol ? amount : 0n,
    },
    notes: () => ({
      warnings: [
        ...balanceWarnings(funds, amount, Number(vault.tokenMintDecimals), symbol),
        ...(rewardPerSecond === 0n ? [notReleased()] : []),
        ...wrappedSolWarnings(token, action.wrappedSol, 'The wrapped-SOL account stays open.'),
      ],
    }),
  };
}

const notReleased = (): BuildWarning =>
  warning(
    'REWARDS_NOT_RELEASED',
    'The vault releases no rewards at present: its reward rate is 0. The admin sets it with buildSetVaultConfig.',
  );

/** Takes rewards back that the vault has not released yet. @throws NOT_VAULT_ADMIN */
export function buildWithdrawRewards(
  accounts: CuratorAccounts,
  asked: Amount,
  at: Instant,
  { unwrapSol: unwrap }: ActionOptions = {},
): CuratorBuild {
  const { request, payer, vault, token, tokenProgram, symbol, isSol } = accounts;
  const { wallet } = request;
  checkAdmin(accounts);
  const before = released(vault, at);
  const { rewardsAvailable } = before.rewardInfo;
  const most = asked === 'all' ? U64_MAX : asked;
  const received = lesser(most, rewardsAvailable);
  const closes = isSol && closesWrappedSol('in', token, unwrap);
  const decimals = Number(vault.tokenMintDecimals);
  const words = asked === 'all' ? 'all rewards' : `${placePoint(asked, decimals)} ${symbol} of the rewards`;
  const built = instruction(
    withdrawRewards,
    request.programs.kvault,
    {
      vaultAdminAuthority: wallet,
      vaultState: request.vault,
      tokenMint: vault.tokenMint,
      tokenVault: vault.tokenVault,
      baseVaultAuthority: vault.baseVaultAuthority,
      withdrawTokenAccount: token.address,
      tokenProgram,
    },
    { amount: most },
    { summary: `Withdraw ${words} of the vault that are not released yet` },
  );
  const action: BuiltAction = {
    amount: asked === 'all' ? rewardsAvailable : asked,
    all: asked === 'all',
    wrappedSol: isSol ? (closes ? 'closed' : 'open') : null,
    instructions: [
      createTokenAccount({ wallet, payer }, token.address, vault.tokenMint, tokenProgram, symbol),
      built,
      ...(closes ? [unwrapSol(wallet, token.address)] : []),
    ],
  };
  const isMore = (asked === 'all' ? 1n : asked) > rewardsAvailable;
  const left = placePoint(rewardsAvailable, decimals);
  const message = `The vault has ${left} ${symbol} of rewards that are not released; no more than that is paid.`;
  return {
    action,
    effect: {
      vault: changed(before, {
        rewardInfo: changed(before.rewardInfo, { rewardsAvailable: rewardsAvailable - received }),
      }),
      reserves: new Map(),
      received,
    },
    notes: () => ({
      warnings: [
        ...(isMore ? [warning('ABOVE_POSITION', message)] : []),
        ...wrappedSolWarnings(token, action.wrappedSol, 'The rewards are paid in wrapped SOL.'),
      ],
    }),
  };
}
