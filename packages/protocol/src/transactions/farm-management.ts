import { AccountRole, type Address } from '@solana/kit';
import { farmSetting } from '../farms/farm-settings.ts';
import {
  addRewards,
  depositToFarmVault,
  initializeFarm,
  initializeFarmDelegated,
  initializeReward,
  rewardUserOnce,
  updateFarmAdmin,
  updateFarmConfig,
  updateSecondDelegatedAuthority,
  withdrawFromFarmVault,
  withdrawReward,
  withdrawSlashedAmount,
} from '../farms/management-instructions.ts';
import type { Action, CallContext, Changes } from './call-context.ts';
import type { FarmChange, FarmManagement } from './events.ts';
import { instructionReader } from './instruction-reader.ts';

type Moved = Partial<Pick<FarmChange, 'mint' | 'amount'>>;
type Described = Partial<Pick<FarmManagement, 'rewardIndex' | 'configMode' | 'details'>>;

function managed(
  instruction: string,
  farm: Address,
  signer: Address,
  { mint = null, amount = null }: Moved = {},
  { rewardIndex = null, configMode = null, details = {} }: Described = {},
): Changes {
  const management = { instruction, rewardIndex, configMode, details };
  return { farm: [{ kind: 'manage', farm, wallet: signer, mint, amount, management }] };
}

const SETTING_START = updateFarmConfig.discriminator.length + updateFarmConfig.args.size;

/** The value follows the fixed arguments, so the reader needs the data as well. */
const settingChanged: Action = {
  name: updateFarmConfig.name,
  discriminator: updateFarmConfig.discriminator,
  read({ programAddress, accounts, data }) {
    const metas = accounts.map((address) => ({ address, role: AccountRole.READONLY }));
    const decoded = updateFarmConfig.decode({ programAddress, accounts: metas, data });
    const { mode, dataLength } = decoded.args;
    const setting = farmSetting(mode, data.subarray(SETTING_START, SETTING_START + dataLength));
    const { rewardIndex, mode: configMode, value } = setting;
    const { farmState, signer } = decoded.accounts;
    return managed(
      updateFarmConfig.name,
      farmState,
      signer,
      {},
      { rewardIndex, configMode, details: { mode, ...(rewardIndex === null ? {} : { rewardIndex }), value } },
    );
  },
};

/** Instructions of a farm's administration. Amounts are those that moved, after fees of the token. */
export const FARM_MANAGEMENT: readonly Action[] = [
  settingChanged,
  instructionReader(initializeFarm, ({ name, accounts }) =>
    managed(name, accounts.farmState, accounts.farmAdmin, { mint: accounts.tokenMint }),
  ),
  instructionReader(initializeFarmDelegated, ({ name, accounts }) =>
    managed(
      name,
      accounts.farmState,
      accounts.farmAdmin,
      {},
      { details: { farmDelegate: accounts.farmDelegate } },
    ),
  ),
  instructionReader(initializeReward, ({ name, accounts }) =>
    managed(name, accounts.farmState, accounts.farmAdmin, { mint: accounts.rewardMint }),
  ),
  instructionReader(addRewards, ({ name, accounts, args }, { flows }: CallContext) =>
    managed(
      name,
      accounts.farmState,
      accounts.payer,
      { mint: accounts.rewardMint, amount: flows.sent(accounts.payerRewardTokenAta, accounts.rewardVault) },
      ofReward(args),
    ),
  ),
  instructionReader(withdrawReward, ({ name, accounts, args }, { flows }: CallContext) =>
    managed(
      name,
      accounts.farmState,
      accounts.farmAdmin,
      {
        mint: accounts.rewardMint,
        amount: flows.received(accounts.rewardVault, accounts.adminRewardTokenAta),
      },
      ofReward(args),
    ),
  ),
  instructionReader(rewardUserOnce, ({ name, accounts, args }) => {
    const { rewardIndex, details } = ofReward(args);
    const expected = String(args.expectedRewardIssuedUnclaimed);
    return managed(
      name,
      accounts.farmState,
      accounts.delegateAuthority,
      { amount: args.amount },
      {
        rewardIndex,
        details: { ...details, expectedRewardIssuedUnclaimed: expected, userState: accounts.userState },
      },
    );
  }),
  instructionReader(updateFarmAdmin, ({ name, accounts }) =>
    managed(name, accounts.farmState, accounts.pendingFarmAdmin),
  ),
  instructionReader(updateSecondDelegatedAuthority, ({ name, accounts }) => {
    const { farmState, globalAdmin, newSecondDelegatedAuthority } = accounts;
    return managed(name, farmState, globalAdmin, {}, { details: { newSecondDelegatedAuthority } });
  }),
  instructionReader(depositToFarmVault, ({ name, accounts, args }, context: CallContext) => {
    const { farmState, depositor, depositorAta, farmVault } = accounts;
    const amount = context.flows.sent(depositorAta, farmVault);
    const mint = context.accounts.mintOf(farmVault);
    return managed(
      name,
      farmState,
      depositor,
      { mint, amount },
      { details: { amount: String(args.amount) } },
    );
  }),
  instructionReader(withdrawFromFarmVault, ({ name, accounts, args }, context: CallContext) => {
    const { farmState, withdrawAuthority, withdrawerTokenAccount, farmVault } = accounts;
    const amount = context.flows.received(farmVault, withdrawerTokenAccount);
    const mint = context.accounts.mintOf(farmVault);
    const details = { amount: String(args.amount) };
    return managed(name, farmState, withdrawAuthority, { mint, amount }, { details });
  }),
  instructionReader(withdrawSlashedAmount, ({ name, accounts }, context: CallContext) => {
    const { farmState, crank, slashedAmountSpillAddress, farmVault } = accounts;
    const amount = context.flows.received(farmVault, slashedAmountSpillAddress);
    return managed(name, farmState, crank, { mint: context.accounts.mintOf(farmVault), amount });
  }),
];

function ofReward({ amount, rewardIndex }: { readonly amount: bigint; readonly rewardIndex: bigint }) {
  const index = Number(rewardIndex);
  return { rewardIndex: index, details: { amount: String(amount), rewardIndex: index } };
}
