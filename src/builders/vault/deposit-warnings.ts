import { placePoint } from '@sluice/protocol/numeric/decimal';
import type { DepositTerms } from '../../domain/vault-deposit.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { balanceWarnings } from '../wallet-warnings.ts';
import { type BuildWarning, warning } from '../warnings.ts';
import type { VaultAccounts } from './accounts.ts';
import { stakeRentWarnings, warmUpWarnings } from './staking.ts';

/** Warnings for a deposit into a vault. */
export function depositWarnings(
  accounts: VaultAccounts,
  { amount, minShares }: BuiltAction,
  terms: DepositTerms,
): BuildWarning[] {
  const { vault, isSol, walletLamports, token, symbol } = accounts;
  const has = isSol ? (walletLamports ?? 0n) : (token.account?.amount ?? 0n);
  // SOL is wrapped before the vault takes its part; of another token only that part leaves the wallet.
  const needed = isSol || terms.refusal !== null ? amount : terms.tokens + terms.crankFee;
  return [
    ...balanceWarnings(has, needed, Number(vault.tokenMintDecimals), symbol),
    ...termsWarnings(accounts, terms, minShares ?? 0n),
    ...warmUpWarnings(accounts),
    ...stakeRentWarnings(accounts),
  ];
}

/** Warnings of deposits that the program cuts or refuses. */
function termsWarnings(
  { vault, symbol }: VaultAccounts,
  { crankFee, offered, room, isCut, shares, tokens, refusal }: DepositTerms,
  minShares: bigint,
): BuildWarning[] {
  const inTokens = (units: bigint) => `${placePoint(units, Number(vault.tokenMintDecimals))} ${symbol}`;
  const inShares = (units: bigint) => placePoint(units, Number(vault.sharesMintDecimals));
  const cap = `deposit cap of ${inTokens(vault.depositCap)}`;
  const cut = isCut
    ? [
        warning(
          'CUT_BY_DEPOSIT_CAP',
          `The vault has a ${cap} and room for ${inTokens(room)}: it takes ${inTokens(tokens)} of the ${inTokens(offered)} offered, and the rest stays in the wallet.`,
        ),
      ]
    : [];
  switch (refusal) {
    case null:
      return cut;
    case 'SharesOutBelowMinimum':
      return [
        ...cut,
        warning(
          'RECEIVED_TOO_LITTLE',
          `The deposit buys ${inShares(shares)} shares, but the minimum is ${inShares(minShares)} (SharesOutBelowMinimum). Lower the minimum, or raise the amount.`,
        ),
      ];
    case 'VaultDepositCapReached':
      return [warning('DEPOSIT_CAP_REACHED', fullMessage(cap, room, inTokens, vault.minDepositAmount))];
    case 'DepositAmountsZeroShares':
      if (isCut) {
        const message = `The vault has a ${cap} and room for ${inTokens(room)}, which buys no share (DepositAmountsZeroShares). Wait for withdrawals, or choose another vault.`;
        return [warning('DEPOSIT_CAP_REACHED', message)];
      }
      break;
  }
  const message = `The minimum deposit is ${inTokens(vault.minDepositAmount + crankFee)}. Raise the amount.`;
  return [warning('AMOUNT_BELOW_MINIMUM', message)];
}

function fullMessage(
  cap: string,
  room: bigint,
  inTokens: (units: bigint) => string,
  minimum: bigint,
): string {
  const state =
    room === 0n
      ? `The vault has reached its ${cap}`
      : `The vault has a ${cap} and room for ${inTokens(room)}, less than its minimum deposit of ${inTokens(minimum)}`;
  return `${state} (VaultDepositCapReached). Wait for withdrawals, or choose another vault.`;
}
