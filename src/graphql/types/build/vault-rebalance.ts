import { BuildSource } from '../../../services/builds/build-source.ts';
import {
  prepareRebalance,
  type VaultExposure,
  type VaultMove,
  type VaultObstacle,
  type VaultRebalance,
  type VaultTargetsInput,
  vaultRebalance,
  type YieldChange,
} from '../../../services/builds/vault-rebalance.ts';
import { builder } from '../../builder.ts';
import { VaultRef } from '../../node-refs.ts';
import { ChangeRef } from '../values/change.ts';
import { BuildOptionsRef, optionsOf } from './actions/build-inputs.ts';
import { CapInputRef, capOf } from './actions/cap-input.ts';
import { REFUSAL_REFS, type Refusal, refusalOf } from './results/build-errors.ts';
import { ActionKindRef, BuildResultRef, planned } from './results/build-result.ts';
import { AllocationPreviewRef, SettingPreviewRef } from './results/vault-preview.ts';

const VaultTargetInputRef = builder.inputType('VaultTargetInput', {
  description: 'Terms that a reserve of a vault is to have. What is omitted stays as it is.',
  fields: (t) => ({
    reserve: t.field({ type: 'Address', required: true, description: 'Address of the reserve.' }),
    weight: t.field({
      type: 'U64',
      description:
        'Weight of the reserve, relative to those of the others and of the idle tokens. 0 in a new allocation unless given.',
    }),
    cap: t.field({
      type: CapInputRef,
      description: 'The most that the vault invests in the reserve. None in a new allocation unless given.',
    }),
    collateralCap: t.field({
      type: CapInputRef,
      description: 'That in collateral tokens (cTokens) of the reserve.',
    }),
    remove: t.boolean({
      defaultValue: false,
      description: 'Whether the vault leaves the reserve for good. Its weight is 0 then.',
    }),
  }),
});

type TargetInputs = readonly (typeof VaultTargetInputRef.$inferInput)[];

const TARGETS =
  'Terms of reserves, at most 25. Reserves that are not named keep theirs. With an empty list the vault only invests towards its present weights.';
const IDLE_WEIGHT = 'Weight of the tokens that stay idle, relative to those of the reserves.';
const IDLE_CAP = 'The most tokens that stay idle by that weight.';

interface GivenTargets {
  readonly targets: TargetInputs;
  readonly unallocatedWeight?: bigint | null | undefined;
  readonly unallocatedCap?: typeof CapInputRef.$inferInput | null | undefined;
}

function targetsOf({ targets, unallocatedWeight, unallocatedCap }: GivenTargets): VaultTargetsInput {
  const idleCap = capOf(unallocatedCap);
  return {
    targets: targets.map(({ reserve, weight, cap, collateralCap, remove }) => {
      const [inTokens, inCollateral] = [capOf(cap), capOf(collateralCap)];
      return {
        reserve,
        ...(typeof weight === 'bigint' ? { weight } : {}),
        ...(inTokens === undefined ? {} : { cap: inTokens }),
        ...(inCollateral === undefined ? {} : { collateralCap: inCollateral }),
        remove: remove === true,
      };
    }),
    ...(typeof unallocatedWeight === 'bigint' ? { unallocatedWeight } : {}),
    ...(idleCap === undefined ? {} : { unallocatedCap: idleCap }),
  };
}

const MoveRef = builder.objectRef<VaultMove>('VaultMove').implement({
  description: 'A move towards the targets of a vault, on the state that the moves before it leave.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ActionKindRef, description: 'The action.' }),
    summary: t.exposeString('summary', { description: 'Effect of the move, in words.' }),
    reserve: t.expose('reserve', {
      type: 'Address',
      nullable: true,
      description: 'Address of the reserve. Null for a change of settings of the vault.',
    }),
    allocation: t.expose('allocation', {
      type: AllocationPreviewRef,
      nullable: true,
      description: 'The reserve before and after the move. Null for a change of settings of the vault.',
    }),
    idleTokens: t.expose('idleTokens', {
      type: ChangeRef,
      description: 'Tokens that are not invested, in whole tokens.',
    }),
    settings: t.expose('settings', {
      type: [SettingPreviewRef],
      description: 'Settings of the vault that the move changes.',
    }),
  }),
});

const ObstacleRef = builder.objectRef<VaultObstacle>('VaultObstacle').implement({
  description: 'A reason why a target is not reached, or not wholly.',
  fields: (t) => ({
    reserve: t.expose('reserve', { type: 'Address', description: 'Address of the reserve.' }),
    code: t.exposeString('code', {
      description:
        'Code of the reason, as in the warnings of builders: for example `DEPOSIT_LIMIT_EXCEEDED`, `LIQUIDITY_TOO_LOW`, `INVEST_TOO_SOON` or `NOTHING_TO_INVEST`.',
    }),
    message: t.exposeString('message', { description: 'The reason in words, and what to do about it.' }),
    tokens: t.expose('tokens', {
      type: 'Decimal',
      description: 'Tokens that are not moved for it, in whole tokens.',
    }),
  }),
});

const ExposureRef = builder.objectRef<VaultExposure>('VaultExposure').implement({
  description: 'A reserve of a vault before and after all moves.',
  fields: (t) => ({
    reserve: t.field({
      type: 'Address',
      description: 'Address of the reserve.',
      resolve: ({ allocation }) => allocation.reserve,
    }),
    share: t.expose('share', {
      type: ChangeRef,
      description:
        "Fraction of the vault's tokens that are invested in the reserve. Null while the vault does not use it.",
    }),
    allocation: t.expose('allocation', {
      type: AllocationPreviewRef,
      description: 'Weight, caps, investment and target of the reserve.',
    }),
  }),
});

const YieldChangeRef = builder.objectRef<YieldChange>('YieldChange').implement({
  description: 'A yearly yield before and after all moves, as a fraction.',
  fields: (t) => ({
    before: t.expose('before', {
      type: 'Decimal',
      nullable: true,
      description: 'Yield before. Null when unknown.',
    }),
    after: t.expose('after', {
      type: 'Decimal',
      nullable: true,
      description: 'Yield after. Null when unknown.',
    }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Why a value is unknown. Null when both are known.',
    }),
  }),
});

/** A plan with the source that can build it. */
interface Rebalance extends VaultRebalance {
  readonly kind: 'VaultRebalance';
  readonly source: BuildSource;
}

const VaultRebalanceRef = builder.objectRef<Rebalance>('VaultRebalance').implement({
  description:
    'The moves that reach the targets of a vault: first terms of reserves, then what leaves reserves, since it frees tokens, then what enters others, and removals last. A move that the programs would refuse is left out and named in `obstacles`; one that they accept in part is cut.',
  isTypeOf: (value) => (value as Partial<Rebalance>).kind === 'VaultRebalance',
  fields: (t) => ({
    wallet: t.expose('wallet', { type: 'Address', description: 'The wallet that would sign the moves.' }),
    moves: t.expose('moves', {
      type: [MoveRef],
      description: 'The moves, in order. Empty when the vault is at its targets or nothing can be moved.',
    }),
    obstacles: t.expose('obstacles', {
      type: [ObstacleRef],
      description: 'Reasons why targets are not reached. Empty when all are.',
    }),
    exposures: t.expose('exposures', {
      type: [ExposureRef],
      description: 'The reserves of the vault before and after all moves.',
    }),
    idleTokens: t.field({
      type: ChangeRef,
      description: 'Tokens that are not invested, in whole tokens.',
      resolve: ({ assets }) => assets.idleTokens,
    }),
    targetIdleTokens: t.field({
      type: ChangeRef,
      description: 'Tokens that no reserve is to get, in whole tokens.',
      resolve: ({ assets }) => assets.targetIdleTokens,
    }),
    idleShare: t.expose('idleShare', {
      type: ChangeRef,
      description: "Fraction of the vault's tokens that are not invested.",
    }),
    interestApy: t.expose('interestApy', {
      type: ChangeRef,
      description:
        'Interest of shareholders after fees, as a yearly fraction. The rates are those that the moves themselves lead to: tokens that enter a reserve lower its rate.',
    }),
    reserveRewardsApy: t.expose('reserveRewardsApy', {
      type: YieldChangeRef,
      description:
        'Rewards and campaigns of the reserves, shared with the deposits that the moves lead to. Rewards of the vault itself do not change and are not included.',
    }),
    build: t.field({
      type: BuildResultRef,
      description:
        'The moves as unsigned transactions, with their sizes, lookup tables and simulation: the answer of `buildVaultRebalance`.',
      args: { options: t.arg({ type: BuildOptionsRef, description: 'Options of the transactions.' }) },
      resolve: ({ source, ...plan }, { options }) =>
        planned(() => prepareRebalance(source, plan, optionsOf(options))),
    }),
  }),
});

const VaultPlanResultRef = builder.unionType('VaultPlanResult', {
  description: 'Result of `Vault.plan`: the moves, or the error that prevented them.',
  types: [VaultRebalanceRef, ...REFUSAL_REFS],
});

builder.objectField(VaultRef, 'plan', (t) =>
  t.field({
    type: VaultPlanResultRef,
    description:
      'Plans the moves that reach target weights and caps, with what they change and what stops them. Built on accounts read from the chain now, not on the View.',
    args: {
      targets: t.arg({ type: [VaultTargetInputRef], required: true, description: TARGETS }),
      unallocatedWeight: t.arg({ type: 'U64', description: IDLE_WEIGHT }),
      unallocatedCap: t.arg({ type: CapInputRef, description: IDLE_CAP }),
      wallet: t.arg({
        type: 'Address',
        description: 'The wallet that would sign the moves. Defaults to the admin of the vault.',
      }),
    },
    resolve: async (
      { address, value },
      { wallet, ...given },
      { session, platform },
    ): Promise<Rebalance | Refusal> => {
      const source = new BuildSource(session, platform);
      const signer = wallet ?? value.vaultAdminAuthority;
      try {
        const plan = await vaultRebalance(source, { wallet: signer, vault: address, ...targetsOf(given) });
        return { ...plan, kind: 'VaultRebalance', source };
      } catch (error) {
        return refusalOf(error);
      }
    },
  }),
);

const VaultRebalanceInputRef = builder.inputType('VaultRebalanceInput', {
  description: 'Input of the moves that reach the targets of a vault.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Admin of the vault, who signs the transactions and pays their fees unless there is another fee payer. Any wallet may where no weight, cap or setting changes.',
    }),
    vault: t.field({ type: 'Address', required: true, description: 'Address of the vault.' }),
    targets: t.field({ type: [VaultTargetInputRef], required: true, description: TARGETS }),
    unallocatedWeight: t.field({ type: 'U64', description: IDLE_WEIGHT }),
    unallocatedCap: t.field({ type: CapInputRef, description: IDLE_CAP }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

builder.mutationField('buildVaultRebalance', (t) =>
  t.field({
    type: BuildResultRef,
    description:
      'Builds the moves that reach target weights and caps of a vault as one plan, as `Vault.plan` shows them. What stops a target is a warning. The plan is strict by default: with `strict: false`, what the programs would refuse becomes a warning.',
    args: {
      input: t.arg({
        type: VaultRebalanceInputRef,
        required: true,
        description: 'Wallet, vault and targets.',
      }),
    },
    resolve: (_root, { input: { wallet, vault, options, ...given } }, { session, platform }) => {
      const source = new BuildSource(session, platform);
      return planned(async () => {
        const plan = await vaultRebalance(source, { wallet, vault, ...targetsOf(given) });
        return await prepareRebalance(source, plan, optionsOf(options));
      });
    },
  }),
);
