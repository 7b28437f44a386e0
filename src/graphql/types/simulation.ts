import type { BalanceChange, ProgramFailure, Simulation } from '../../services/build-results.ts';
import { builder } from '../builder.ts';
import { TokenAmountRef } from './amounts.ts';

const BalanceChangeRef = builder.objectRef<BalanceChange>('BalanceChange').implement({
  description: 'A balance of the wallet that the action would change. SOL counts as wrapped SOL.',
  fields: (t) => ({
    before: t.expose('before', { type: TokenAmountRef, nullable: false, description: 'Before.' }),
    after: t.expose('after', { type: TokenAmountRef, nullable: false, description: 'After.' }),
    change: t.expose('change', {
      type: TokenAmountRef,
      nullable: false,
      description: 'The difference; negative when it is spent.',
    }),
  }),
});

const ProgramFailureRef = builder.objectRef<ProgramFailure>('ProgramFailure').implement({
  description: 'Why the action would fail, in the program\u2019s own terms.',
  fields: (t) => ({
    instructionIndex: t.exposeInt('instructionIndex', {
      nullable: true,
      description:
        'Which instruction of the simulated transaction, its compute limit included. Null when the transaction was refused as a whole.',
    }),
    programAddress: t.expose('programAddress', {
      type: 'Address',
      nullable: true,
      description: 'The program that refused. Null when no program ran.',
    }),
    code: t.exposeInt('code', {
      nullable: true,
      description: 'The program\u2019s own number. Null when the runtime refused.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'The program\u2019s own name for it. Null when nobody has named it yet.',
    }),
    message: t.exposeString('message', { nullable: false, description: 'What it means and what to do.' }),
  }),
});

export const SimulationRef = builder.objectRef<Simulation>('Simulation').implement({
  description: 'What the cluster says would happen now, without a signature. A result, never an estimate.',
  fields: (t) => ({
    success: t.exposeBoolean('success', { nullable: false, description: 'Whether it would pass.' }),
    unitsConsumed: t.exposeInt('unitsConsumed', {
      nullable: true,
      description: 'Compute units used. Null when the RPC does not tell.',
    }),
    suggestedUnitLimit: t.exposeInt('suggestedUnitLimit', {
      nullable: true,
      description: 'A compute-unit limit with a fifth to spare. Null when nothing was used.',
    }),
    logs: t.stringList({
      nullable: false,
      description: 'What the programs logged.',
      resolve: ({ logs }) => [...logs],
    }),
    balanceChanges: t.field({
      type: [BalanceChangeRef],
      nullable: false,
      description: 'Balances of the wallet that would change.',
      resolve: ({ balanceChanges }) => [...balanceChanges],
    }),
    error: t.expose('error', {
      type: ProgramFailureRef,
      nullable: true,
      description: 'Why it would fail. Null when it would pass.',
    }),
    slot: t.expose('slot', { type: 'U64', nullable: false, description: 'Slot at which it was run.' }),
  }),
});
