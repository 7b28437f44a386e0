import type { Rational } from '@sluice/protocol/numeric/rational';
import { integer } from '@sluice/protocol/numeric/rational';
import { toTokens } from '../../../domain/arithmetic.ts';
import {
  type AllocationChange,
  type AllocationChangeKind,
  allocationChanges,
} from '../../../services/curators/allocation-changes.ts';
import { builder } from '../../builder.ts';
import { connectionOf, pageArgs } from '../../connections.ts';
import { CuratorRef, ReserveRef, reserveLink, VaultRef } from '../../node-refs.ts';
import { addCompleteField, NO_HISTORY } from '../history/history-fields.ts';
import { TimeRangeInput } from '../history/time.ts';

const AllocationChangeKindRef = builder.enumType('AllocationChangeKind', {
  description: 'Kind of a change of where the tokens of a vault go.',
  values: {
    SET_TARGET: { description: 'The weight and the caps of a reserve were set.' },
    REMOVE: { description: 'A reserve was removed from the strategy.' },
    SET_IDLE: { description: 'The weight or the cap of the tokens that stay in the vault was set.' },
    MOVE: { description: 'Tokens moved between the vault and a reserve, towards the targets.' },
  } as const satisfies Record<AllocationChangeKind, unknown>,
});

const AllocationChangeFilterInput = builder.inputType('AllocationChangeFilter', {
  description: 'Filter for changes of allocations. All conditions must hold.',
  fields: (t) => ({
    kinds: t.field({
      type: [AllocationChangeKindRef],
      description: 'Changes of these kinds. Defaults to all.',
    }),
    range: t.field({ type: TimeRangeInput, description: 'Changes in this time range.' }),
  }),
});

const tokensOf = ({ vault }: AllocationChange, units: bigint | null): Rational | null =>
  units === null ? null : toTokens(integer(units), vault.value.tokenMintDecimals);

const NOT_BEFORE = 'Null for a MOVE, where the change does not set it, and where no earlier change was read.';
const NOT_SET = 'Null for a MOVE, and where the change does not set it.';

const AllocationChangeRef = builder.objectRef<AllocationChange>('AllocationChange').implement({
  description: 'A change of the targets of a vault, or a move of its tokens, from a confirmed transaction.',
  fields: (t) => ({
    createdAt: t.expose('at', { type: 'DateTime', description: 'Time of the block.' }),
    slot: t.field({ type: 'U64', description: 'Slot of the block.', resolve: ({ key }) => key.slot }),
    signature: t.string({
      description: 'Signature of the transaction, base58.',
      resolve: ({ key }) => key.signature,
    }),
    kind: t.expose('kind', { type: AllocationChangeKindRef, description: 'Kind of the change.' }),
    vault: t.expose('vault', { type: VaultRef, description: 'The vault as it is now.' }),
    reserveAddress: t.expose('reserve', {
      type: 'Address',
      nullable: true,
      description: 'Address of the reserve. Null for SET_IDLE.',
    }),
    reserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve as it is now. Null for SET_IDLE; null with an error when it cannot be read.',
      resolve: ({ reserve }, _args, { session }) => (reserve === null ? null : reserveLink(session, reserve)),
    }),
    by: t.expose('by', {
      type: 'Address',
      description:
        'Admin of the vault or of its allocations who signed it. For a MOVE the payer: anybody may start one, and the targets decide where tokens go.',
    }),
    fromWeight: t.field({
      type: 'U64',
      nullable: true,
      description: `Weight that the last change before had set. ${NOT_BEFORE}`,
      resolve: ({ before }) => before.weight,
    }),
    toWeight: t.field({
      type: 'U64',
      nullable: true,
      description: `Weight that it set, relative to those of the other reserves. ${NOT_SET}`,
      resolve: ({ terms }) => terms.weight,
    }),
    fromCap: t.field({
      type: 'Decimal',
      nullable: true,
      description: `Cap that the last change before had set, in whole tokens. ${NOT_BEFORE}`,
      resolve: (change) => tokensOf(change, change.before.cap),
    }),
    toCap: t.field({
      type: 'Decimal',
      nullable: true,
      description: `Cap that it set, in whole tokens; the largest 64-bit amount means no cap. ${NOT_SET}`,
      resolve: (change) => tokensOf(change, change.terms.cap),
    }),
    fromCollateralCap: t.field({
      type: 'U64',
      nullable: true,
      description: `Cap in base units of collateral tokens that the last change before had set. ${NOT_BEFORE}`,
      resolve: ({ before }) => before.collateralCap,
    }),
    toCollateralCap: t.field({
      type: 'U64',
      nullable: true,
      description: `Cap in base units of collateral tokens that it set; 0 and the largest 64-bit number mean no cap. ${NOT_SET}`,
      resolve: ({ terms }) => terms.collateralCap,
    }),
    moved: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Whole tokens that a MOVE took from the vault to the reserve, negative for the way back. Null for other kinds.',
      resolve: (change) => tokensOf(change, change.moved),
    }),
  }),
});

const AllocationChangeConnection = connectionOf('AllocationChange', AllocationChangeRef);

addCompleteField(AllocationChangeConnection);

const LISTED = `Changes are not counted: \`totalCount\` is null. The first request for a vault reads its transactions from the chain. ${NO_HISTORY}`;

builder.objectField(VaultRef, 'allocationChanges', (t) =>
  t.field({
    type: AllocationChangeConnection,
    nullable: true,
    description: `Changes of where the tokens of the vault go, newest first. ${LISTED}`,
    args: {
      filter: t.arg({ type: AllocationChangeFilterInput, description: 'Filter. Defaults to all changes.' }),
      ...pageArgs(t.arg),
    },
    resolve: (vault, { filter, ...page }, { platform, session }) =>
      allocationChanges(platform, session, [vault], filter ?? {}, page) as never,
  }),
);

builder.objectField(CuratorRef, 'allocationChanges', (t) =>
  t.field({
    type: AllocationChangeConnection,
    nullable: true,
    description: `Changes of where the tokens of its vaults go, newest first. ${LISTED}`,
    args: {
      filter: t.arg({ type: AllocationChangeFilterInput, description: 'Filter. Defaults to all changes.' }),
      ...pageArgs(t.arg),
    },
    resolve: ({ vaults }, { filter, ...page }, { platform, session }) =>
      allocationChanges(platform, session, vaults, filter ?? {}, page) as never,
  }),
);
