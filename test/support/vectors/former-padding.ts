/**
 * Fields of the programs of today in bytes that the SDK of the vectors reads as padding, beside what is left of the padding.
 * `real-accounts-2026.test.ts` compares them with a decoder written from their published offsets.
 */
const FORMER_PADDING: Readonly<Record<string, ReadonlySet<string>>> = {
  'klend-lending-market': new Set([
    'disableNonceBlock',
    'minObligationOrderExecutionValue',
    'padding1',
    'padding2',
  ]),
  'klend-reserve': new Set([
    'placeholder',
    'alignmentPadding',
    'timestamp',
    'interestRateBasis',
    'reserved1',
    'rewardsAmountPerSlot',
    'rewardsAmountPerAccrualUnit',
    'permissionedOps',
    'configPadding',
  ]),
  'klend-obligation': new Set([
    'placeholder',
    'alignmentPadding',
    'timestamp',
    'fixedTermRolloverWindowDurationDays',
    'obligationOrders',
    'borrowOrder',
    'headBorrowOrder',
    'tailBorrowOrders',
    'padding3',
  ]),
  'kvault-vault-state': new Set([
    'ctokenAllocationCap',
    'configPadding',
    'depositCap',
    'padding2',
    'permissioningAuthority',
    'padding3',
  ]),
};

/** The fields of an account without those that the SDK of the vectors does not know. */
export function known(file: string, value: unknown): unknown {
  const unknown = FORMER_PADDING[file];
  if (unknown === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => known(file, item));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      unknown.has(name) ? [] : [[name, known(file, part)] as const],
    ),
  );
}
