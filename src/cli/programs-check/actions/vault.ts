import type { PreviewAnswer } from '../build.ts';
import type { CheckedAction } from '../checked-action.ts';
import { type Figures, figure } from '../figures.ts';
import { investedIn, vaultPosition } from '../read-back.ts';
import type { Subject } from '../subject.ts';

const ALL = { all: 'ALL' };
const NOTHING_HELD = { skipped: 'the vault holds nothing in any reserve' };

const predicted = (preview: PreviewAnswer): Figures => ({
  tokens: figure(preview.tokens?.after),
  shares: figure(preview.shares?.after),
  stakedShares: figure(preview.stakedShares?.after),
  unstakedShares: figure(preview.unstakedShares?.after),
});

/** Deposits, which stakes the shares where the vault has a farm, moves them out and in again, and leaves in both ways. */
export function vaultActions({
  wallet,
  vault,
  vaultReserve,
  amount,
  partialAmount,
}: Subject): readonly CheckedAction[] {
  const inVault = (
    kind: CheckedAction['kind'],
    name: string,
    [mutation, inputType]: readonly [string, string],
    input: object,
  ): CheckedAction => ({
    kind,
    name: `vault ${name}`,
    prepare: () => ({ mutation, inputType, input: { wallet, vault, ...input } }),
    nothingToDo: ['KVAULT_FARM_NOT_FOUND', 'FARM_STAKE_NOT_FOUND'],
    predicted,
    readBack: async (ask) => await vaultPosition(ask, wallet, vault),
  });
  const redeem = inVault(
    'VAULT_REDEEM_IN_KIND',
    'redeem in kind',
    ['buildVaultRedeemInKind', 'VaultRedeemInKindInput'],
    {
      reserve: vaultReserve,
      amount: { tokens: partialAmount },
    },
  );
  return [
    inVault('VAULT_DEPOSIT', 'deposit', ['buildVaultDeposit', 'VaultDepositInput'], {
      amount: { tokens: amount },
    }),
    inVault('UNSTAKE_SHARES', 'unstake', ['buildUnstakeShares', 'ShareStakingInput'], { amount: ALL }),
    inVault('STAKE_SHARES', 'stake', ['buildStakeShares', 'ShareStakingInput'], { amount: ALL }),
    vaultReserve === null ? { ...redeem, prepare: () => NOTHING_HELD } : redeem,
    inVault('VAULT_WITHDRAW', 'withdraw', ['buildVaultWithdraw', 'VaultWithdrawInput'], { amount: ALL }),
  ];
}

/** Brings the largest investment of the vault to its target, which anyone may do. */
export function investVault({ wallet, vault, vaultReserve }: Subject): CheckedAction {
  return {
    kind: 'INVEST_VAULT',
    name: 'vault invest',
    prepare: () =>
      vaultReserve === null
        ? NOTHING_HELD
        : {
            mutation: 'buildInvestVault',
            inputType: 'InvestVaultInput',
            input: { wallet, vault, reserve: vaultReserve },
          },
    predicted: (preview) => ({
      tokens: figure(
        preview.vault?.allocations.find(({ reserve }) => reserve === vaultReserve)?.tokens.after,
      ),
    }),
    readBack: async (ask) => await investedIn(ask, vault, vaultReserve),
  };
}
