import { ctokenVault } from '@sluice/protocol/kvault/addresses';
import { vaultRedeemInKind } from '@sluice/protocol/kvault/allocation-instructions';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { Moment } from '../../domain/moment.ts';
import type { Build } from '../action.ts';
import { type BuiltAction, type BuiltInstruction, instruction } from '../built-instruction.ts';
import { permissionWarnings } from '../permission.ts';
import { createTokenAccount } from '../token-instructions.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import { permissioningAuthority, vaultRemainingAccounts } from './accounts.ts';
import { vaultPreview } from './preview.ts';
import {
  type Redemption,
  type RedemptionAccounts,
  redeemed,
  redemptionChanges,
  reserveOf,
} from './redemption.ts';
import { releaseWarnings } from './release-warnings.ts';
import { type ShareAmountInput, sharesAsked } from './share-amount.ts';
import { releasing } from './withdraw.ts';

/**
 * Exchanges shares for collateral tokens of one reserve of the vault, which needs no liquidity in it.
 *
 * @example
 * buildRedeemInKind(accounts, { all: true }, moment);
 */
export function buildRedeemInKind(
  accounts: RedemptionAccounts,
  amount: ShareAmountInput,
  moment: Moment,
): Build {
  const { vault } = accounts;
  const asked = sharesAsked(vault, amount, moment);
  const redemption = redeemed(accounts, asked, moment);
  const { held, outcome } = redemption;
  const action: BuiltAction = {
    amount: asked === 'all' ? held : asked,
    all: asked === 'all',
    wrappedSol: null,
    instructions: [
      ...releasing(vault, outcome.release),
      openCollateral(accounts),
      redemptionInstruction(accounts, redemption),
    ],
  };
  return {
    action,
    preview() {
      const warnings = redemptionWarnings(accounts, action, redemption);
      return vaultPreview(vault, 'withdraw', outcome, moment, warnings);
    },
    after: (read) => redemptionChanges(accounts, redemption, action, moment, read),
    fresh: (before) => new Set([...before].filter((address) => !vault.reserves.has(address))),
  };
}

/** The wallet's account of the collateral tokens. */
const openCollateral = (accounts: RedemptionAccounts): BuiltInstruction => {
  const { vault, collateral } = accounts;
  const opening = { wallet: vault.request.wallet, payer: vault.payer };
  const { mintPubkey } = reserveOf(accounts).collateral;
  return createTokenAccount(opening, collateral.address, mintPubkey, TOKEN_PROGRAM, 'the collateral tokens');
};

function redemptionInstruction(accounts: RedemptionAccounts, { named }: Redemption): BuiltInstruction {
  const { vault: around, reserve, collateral } = accounts;
  const { request, vault, shares } = around;
  const words = named === U64_MAX ? 'all remaining' : placePoint(named, Number(vault.sharesMintDecimals));
  return instruction(
    vaultRedeemInKind,
    request.programs.kvault,
    {
      user: request.wallet,
      vaultState: request.vault,
      globalConfig: around.globalConfigAddress,
      baseVaultAuthority: vault.baseVaultAuthority,
      reserve,
      ctokenVault: ctokenVault(request.programs.kvault, request.vault, reserve).address,
      userCtokenTa: collateral.address,
      ctokenMint: reserveOf(accounts).collateral.mintPubkey,
      userSharesTa: shares.address,
      sharesMint: vault.sharesMint,
      reserveCollateralTokenProgram: TOKEN_PROGRAM,
      sharesTokenProgram: TOKEN_PROGRAM,
      klendProgram: request.programs.klend,
      eventAuthority: around.eventAuthority,
      program: request.programs.kvault,
    },
    { sharesAmount: named },
    {
      summary: `Exchange ${words} shares of the vault for collateral tokens of reserve ${reserve}`,
      remaining: vaultRemainingAccounts(around),
    },
  );
}

function redemptionWarnings(
  { vault: accounts, reserve }: RedemptionAccounts,
  { amount }: BuiltAction,
  { held, terms, outcome }: Redemption,
): BuildWarning[] {
  const { vault, symbol } = accounts;
  const inShares = (units: bigint) => placePoint(units, Number(vault.sharesMintDecimals));
  const inTokens = (units: bigint) => `${placePoint(units, Number(vault.tokenMintDecimals))} ${symbol}`;
  const warnings: BuildWarning[] = [];
  if (held < amount) {
    const message = `The wallet has ${inShares(held)} shares, but ${inShares(amount)} are requested. Lower the amount.`;
    warnings.push(warning('BALANCE_TOO_LOW', message));
  }
  if (terms.refusal === 'BELOW_MINIMUM') {
    const message = `A redemption must be worth more than ${inTokens(vault.minWithdrawAmount)}. Raise the amount.`;
    warnings.push(warning('AMOUNT_BELOW_MINIMUM', message));
  } else if (terms.refusal === 'NOTHING') {
    const message = `The shares are worth no collateral token of reserve ${reserve}, or the vault has none there. Choose another reserve.`;
    warnings.push(warning('LIQUIDITY_TOO_LOW', message));
  } else if (terms.isCut) {
    const message = `Only ${inShares(terms.shares)} shares are exchanged: the vault has no more collateral tokens of reserve ${reserve}. Choose another reserve for the others.`;
    warnings.push(warning('REDEEMED_IN_PART', message));
  }
  if (outcome.release !== null) warnings.push(...releaseWarnings(accounts, outcome.release));
  if (outcome.penalty > 0n) {
    const message = `The vault withholds a penalty of ${inTokens(outcome.penalty)} from the redemption.`;
    warnings.push(warning('WITHDRAWAL_PENALTY', message));
  }
  return [
    ...warnings,
    ...permissionWarnings(permissioningAuthority(accounts), 'vault', [
      accounts.request.wallet,
      accounts.payer,
    ]),
  ];
}
