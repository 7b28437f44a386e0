export { collectFields, inclusionOf } from './collect-fields.ts';
export type { ExecutionHooks, NodeCounter, SharedObjects, SharedSelection } from './hooks.ts';
export type { LeafSerializer } from './leaf-serializers.ts';
export { type ExecutorOptions, PlannedExecutor } from './planned-executor.ts';
export { passesQuickValidation } from './quick-validation.ts';
export type { SerializedObject } from './serialized-object.ts';
