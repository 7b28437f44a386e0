import { farmEventPage } from '../../../services/history/vault-positions/farm-events.ts';
import {
  type FarmManagementEvent,
  farmManagement,
} from '../../../services/history/vault-positions/farm-transactions.ts';
import { builder } from '../../builder.ts';
import { connectionOf, pageArgs } from '../../connections.ts';
import { FarmRef, WalletRef } from '../../node-refs.ts';
import { addCompleteField, NO_HISTORY } from '../history/history-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const FarmManagementEventRef = builder.objectRef<FarmManagementEvent>('FarmManagementEvent').implement({
  description:
    'An instruction of a farm\u2019s administration: set-up, a setting, an admin, or rewards or tokens that were added or withdrawn.',
  fields: (t) => ({
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time of the block.',
      resolve: ({ event }) => new Date(event.time * 1_000),
    }),
    instruction: t.string({
      description:
        'Name of the instruction of the farms program, such as "updateFarmConfig" or "addRewards".',
      resolve: ({ event }) => event.management.instruction,
    }),
    farmAddress: t.field({
      type: 'Address',
      description: 'Address of the farm. The account may have been closed since.',
      resolve: ({ event }) => event.farm,
    }),
    signer: t.field({
      type: WalletRef,
      description: 'The wallet that signed the instruction.',
      resolve: ({ event }) => ({ address: event.wallet }),
    }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Tokens added or withdrawn. Null for an instruction that moves none, and when the token cannot be read. USD and SOL values use the prices at that time.',
    }),
    tokenMint: t.expose('mint', {
      type: 'Address',
      nullable: true,
      description:
        'Mint of the token that was added or withdrawn, or of the reward that was changed. Null for an instruction about neither.',
    }),
    rewardIndex: t.int({
      nullable: true,
      description: 'Place of the reward in the farm. Null for an instruction about none.',
      resolve: ({ event }) => event.management.rewardIndex,
    }),
    configMode: t.string({
      nullable: true,
      description:
        'Setting that was changed, by its name in the farms program, such as "UpdateRewardRps". Null for another instruction, and for a setting that this version of the gateway does not know.',
      resolve: ({ event }) => event.management.configMode,
    }),
    details: t.field({
      type: 'JSON',
      description:
        'Arguments of the instruction by name. Integers of 64 bits are strings, amounts are in base units. The new `value` of a setting is decoded; of an unknown setting it is in hex.',
      resolve: ({ event }) => event.management.details,
    }),
    signature: t.string({
      description: 'Signature of the transaction, base58.',
      resolve: ({ event }) => event.signature,
    }),
    slot: t.field({ type: 'U64', description: 'Slot of the block.', resolve: ({ event }) => event.slot }),
  }),
});

const FarmManagementConnection = connectionOf('FarmManagementEvent', FarmManagementEventRef);

addCompleteField(FarmManagementConnection);

builder.objectFields(FarmRef, (t) => ({
  managementHistory: t.field({
    type: FarmManagementConnection,
    nullable: true,
    description: `What the administration of the farm did, newest first. The first request for a farm reads its transactions from the chain. ${NO_HISTORY}`,
    args: pageArgs(t.arg),
    resolve: ({ address }, page, { platform, session }) =>
      farmEventPage(platform, session, farmManagement(address), page),
  }),
}));
