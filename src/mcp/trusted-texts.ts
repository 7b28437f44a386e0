/**
 * Fields of type String whose text is never written by third parties: ids, cursors, codes and words of this gateway. Every
 * other String is marked as untrusted, so a new field is untrusted until it is added here.
 */
export const TRUSTED_TEXTS: ReadonlySet<string> = new Set([
  'AccountMeta.label',
  'AllocationChange.signature',
  'ChainStatus.cluster',
  'ChainStatus.commitment',
  'ExplainedAccount.role',
  'ExplainedInstruction.name',
  'ExplainedInstruction.programName',
  'FarmTransaction.signature',
  'InstructionArgument.name',
  'LendingTransaction.instruction',
  'LendingTransaction.signature',
  'PageInfo.endCursor',
  'PageInfo.startCursor',
  'RecorderStatus.doing',
  'ReservePointConfig.borrowLimit',
  'ReservePointConfig.borrowLimitOutsideElevationGroup',
  'ReservePointConfig.borrowLimitsInElevationGroups',
  'ReservePointConfig.depositLimit',
  'ReservePointConfig.hostFixedRate',
  'ReservePointConfig.status',
  'RpcEndpoint.name',
  'ShareMetadata.imageUrl',
  'TransactionExplanation.version',
  'TransactionLifetime.value',
  'UnsignedTransaction.blockhash',
  'VaultTransaction.signature',
]);

/** Fields of many types: error codes, and cursors of lists. */
const TRUSTED_NAMES: ReadonlySet<string> = new Set(['code', 'cursor']);

/** @param field `Type.field` @param scalar name of its type without lists and nulls */
export function mayBeWrittenByThirdParties(field: string, scalar: string): boolean {
  if (scalar !== 'String' || TRUSTED_TEXTS.has(field)) return false;
  const [type = '', name = ''] = field.split('.');
  return !TRUSTED_NAMES.has(name) && !type.startsWith('__');
}
