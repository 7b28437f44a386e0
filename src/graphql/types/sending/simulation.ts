import type {
  BalanceChange,
  ProgramFailure,
  Simulation,
  StepUnits,
} from '../../../services/builds/results.ts';
import { builder } from '../../builder.ts';
import { TokenAmountRef } from '../values/amounts.ts';

export const BalanceChangeRef = builder.objectRef<BalanceChange>('BalanceChange').implement({
  description: 'Change of one token balance of the wallet. SOL counts as wrapped SOL.',
  fields: (t) => ({
    before: t.expose('before', { type: TokenAmountRef, description: 'Balance before the action.' }),
    after: t.expose('after', { type: TokenAmountRef, description: 'Balance after the action.' }),
    change: t.expose('change', {
      type: TokenAmountRef,
      description: '`after` - `before`, negative when tokens are spent.',
    }),
  }),
});

export const ProgramFailureRef = builder.objectRef<ProgramFailure>('ProgramFailure').implement({
  description: 'The program error with which a transaction failed or would fail.',
  fields: (t) => ({
    instructionIndex: t.exposeInt('instructionIndex', {
      nullable: true,
      description:
        'Index of the failing instruction in the transaction; in a simulation, counting its compute unit limit. Null when the transaction was rejected as a whole.',
    }),
    programAddress: t.expose('programAddress', {
      type: 'Address',
      nullable: true,
      description:
        'The program that failed, such as the token program called by a lending instruction. Null when no program ran.',
    }),
    code: t.exposeInt('code', {
      nullable: true,
      description: 'Error code of the program. Null when the runtime rejected the transaction.',
    }),
    name: t.exposeString('name', {
      nullable: true,
      description: 'Error name of the program. Null when unknown.',
    }),
    message: t.exposeString('message', {
      description: 'Message that says what the error means and what to do.',
    }),
  }),
});

const StepUnitsRef = builder.objectRef<StepUnits>('StepUnits').implement({
  description: 'Compute units of one step of a plan.',
  fields: (t) => ({
    step: t.exposeInt('step', { description: 'Index of the step in the plan.' }),
    unitsConsumed: t.exposeInt('unitsConsumed', {
      description:
        'Compute units of its instructions. Native programs, such as the system program, report none.',
    }),
  }),
});

export const SimulationRef = builder.objectRef<Simulation>('Simulation').implement({
  description:
    'Result of simulating the first unsigned transaction on the cluster. Not an estimate. The transactions after it depend on its effect and are not simulated.',
  fields: (t) => ({
    success: t.exposeBoolean('success', { description: 'Whether the transaction would succeed.' }),
    unitsConsumed: t.exposeInt('unitsConsumed', {
      nullable: true,
      description: 'Compute units used. Null when the RPC does not report them.',
    }),
    suggestedUnitLimit: t.exposeInt('suggestedUnitLimit', {
      nullable: true,
      description: 'Suggested compute unit limit: the units used plus 20%. Null when no units were used.',
    }),
    logs: t.exposeStringList('logs', { description: 'Log lines of the programs.' }),
    balanceChanges: t.expose('balanceChanges', {
      type: [BalanceChangeRef],
      description: 'Token balances of the wallet that would change.',
    }),
    error: t.expose('error', {
      type: ProgramFailureRef,
      nullable: true,
      description: 'Error with which the transaction would fail. Null when it would succeed.',
    }),
    slot: t.expose('slot', { type: 'U64', description: 'Slot of the simulation.' }),
    stepUnits: t.expose('stepUnits', {
      type: [StepUnitsRef],
      description:
        'Compute units of the steps of the plan, as the log lines give them. Only those that ran in the simulated transaction.',
    }),
  }),
});
