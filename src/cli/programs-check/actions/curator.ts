import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address, KeyPairSigner } from '@solana/kit';
import type { PreviewAnswer } from '../build.ts';
import { chainSeconds } from '../chain-time.ts';
import type { CheckedAction } from '../checked-action.ts';
import { type Figures, figure } from '../figures.ts';
import type { Ask } from '../gateway.ts';
import { balanceOf, curatedVault, settingsText, vaultPosition } from '../read-back.ts';
import type { Subject } from '../subject.ts';

const ALL = { all: 'ALL' };
/** Seconds of the chain, after which rewards that are all released within one are. */
const RELEASE_SECONDS = 2;

type Step = Omit<CheckedAction, 'name' | 'prepare' | 'readBack'> & {
  readonly mutation: string;
  readonly inputType: string;
  readonly input?: object;
  /** By default what is read of the vault. */
  readonly readBack?: CheckedAction['readBack'];
  readonly ready?: (ask: Ask) => Promise<void>;
};

/**
 * Creates a vault and runs it as its admin: settings, admin, rewards, weights, investments, fees. In the end all but the first
 * deposit is back in the wallet.
 *
 * @param newVault key pair of the vault's address
 */
export function curatorActions(subject: Subject, newVault: KeyPairSigner): readonly CheckedAction[] {
  const { wallet, reserve, mint, amount, partialAmount } = subject;
  const vault = newVault.address;
  const step = (name: string, { mutation, inputType, input, ready, ...rest }: Step): CheckedAction => ({
    readBack: async (ask, preview) => await curatedVault(ask, vault, reserve, preview),
    ...rest,
    name: `curator ${name}`,
    prepare: async (ask) => {
      await ready?.(ask);
      return { mutation, inputType, input: { wallet, vault, ...input } };
    },
  });
  const configure = (name: string, input: object) =>
    step(name, {
      kind: 'SET_VAULT_CONFIG',
      mutation: 'buildSetVaultConfig',
      inputType: 'SetVaultConfigInput',
      input,
      predicted: settings,
    });
  const rebalance = (name: string, weight: string, ready?: Step['ready']) =>
    step(name, {
      kind: 'INVEST_VAULT',
      mutation: 'buildVaultRebalance',
      inputType: 'VaultRebalanceInput',
      input: { targets: [{ reserve, weight }] },
      predicted: (preview) => ({
        tokens: figure(allocation(preview, reserve)?.tokens.after),
        weight: weightOf(preview, reserve),
      }),
      ...(ready === undefined ? {} : { ready }),
    });
  const reward = (name: string) =>
    step(name, {
      kind: 'TOP_UP_VAULT_REWARDS',
      mutation: 'buildTopUpVaultRewards',
      inputType: 'TopUpVaultRewardsInput',
      input: { amount: { tokens: partialAmount } },
      predicted: moved,
      readBack: async (ask) => await balanceOf(ask, wallet, mint),
    });
  const position = (name: string, exits: boolean) =>
    step(name, {
      kind: exits ? 'VAULT_WITHDRAW' : 'VAULT_DEPOSIT',
      mutation: exits ? 'buildVaultWithdraw' : 'buildVaultDeposit',
      inputType: exits ? 'VaultWithdrawInput' : 'VaultDepositInput',
      input: { amount: exits ? ALL : { tokens: amount } },
      predicted: ({ tokens, shares }) => ({ tokens: figure(tokens?.after), shares: figure(shares?.after) }),
      readBack: async (ask) => await vaultPosition(ask, wallet, vault),
    });
  return [
    step('creates vault', {
      kind: 'CREATE_VAULT',
      mutation: 'buildCreateVault',
      inputType: 'CreateVaultInput',
      input: { mint },
      signers: [newVault],
      predicted: moved,
      readBack: async (ask) => await balanceOf(ask, wallet, mint),
    }),
    configure('sets terms', {
      name: 'Check of programs',
      performanceFeeBps: 1_000,
      managementFeeBps: 1,
      pendingAdmin: wallet,
    }),
    step('accepts vault', {
      kind: 'ACCEPT_VAULT_ADMIN',
      mutation: 'buildAcceptVaultAdmin',
      inputType: 'AcceptVaultAdminInput',
      predicted: settings,
    }),
    position('deposit', false),
    reward('adds rewards'),
    step('takes rewards back', {
      kind: 'WITHDRAW_VAULT_REWARDS',
      mutation: 'buildWithdrawVaultRewards',
      inputType: 'WithdrawVaultRewardsInput',
      input: { amount: ALL },
      predicted: moved,
      readBack: async (ask) => await balanceOf(ask, wallet, mint),
    }),
    // All rewards within a second, so that the vault earns, and owes a fee.
    configure('sets reward rate', { rewardPerSecond: partialAmount, managementFeeBps: 2 }),
    reward('adds more rewards'),
    step('adds reserve', {
      kind: 'SET_VAULT_ALLOCATION',
      mutation: 'buildSetVaultAllocation',
      inputType: 'SetVaultAllocationInput',
      input: { reserve, weight: '100' },
      predicted: (preview) => ({ weight: weightOf(preview, reserve) }),
    }),
    rebalance('invests', '200', async (ask) => await chainSeconds(ask, RELEASE_SECONDS)),
    step('collects fees', {
      kind: 'WITHDRAW_VAULT_FEES',
      mutation: 'buildWithdrawVaultFees',
      inputType: 'WithdrawVaultFeesInput',
      predicted: (preview, before) => ({ ...moved(preview, before), ...fees(preview) }),
      readBack: async (ask, preview) => ({
        ...(await curatedVault(ask, vault, reserve, preview)),
        ...(await balanceOf(ask, wallet, mint)),
      }),
    }),
    step('gives up fees', {
      kind: 'GIVE_UP_VAULT_FEES',
      mutation: 'buildGiveUpVaultFees',
      inputType: 'GiveUpVaultFeesInput',
      input: { amount: ALL },
      predicted: fees,
    }),
    rebalance('divests', '0'),
    step('removes reserve', {
      kind: 'REMOVE_VAULT_ALLOCATION',
      mutation: 'buildRemoveVaultAllocation',
      inputType: 'RemoveVaultAllocationInput',
      input: { reserve },
      predicted: (preview) => ({ weight: weightOf(preview, reserve) }),
    }),
    position('withdraw', true),
  ];
}

/** The wallet's balance once it has paid and received. */
const moved = ({ vault }: PreviewAnswer, { balance }: Figures): Figures => {
  const [paid, received] = [figure(vault?.paid?.amount), figure(vault?.received?.amount)];
  if (balance === null || balance === undefined) return {};
  const less = paid === null ? balance : balance.sub(paid);
  return { balance: received === null ? less : less.add(received) };
};

const fees = ({ vault }: PreviewAnswer): Figures => ({ fees: figure(vault?.pendingFees.after) });

const allocation = ({ vault }: PreviewAnswer, address: Address) =>
  vault?.allocations.find(({ reserve }) => reserve === address);

/** 0 for a reserve that is removed. */
const weightOf = (preview: PreviewAnswer, reserve: Address): Rational =>
  figure(allocation(preview, reserve)?.weight.after) ?? ZERO;

/** The settings that are read back. */
const settings = (preview: PreviewAnswer): Figures => ({
  settings: settingsText(preview, (_, after) => after),
});
