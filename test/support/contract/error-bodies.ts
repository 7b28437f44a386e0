import type { Shape } from './field-shapes.ts';

/** Error body of builders. */
export const BUILDER_ERROR: Shape = {
  fields: { statusCode: 'integer', message: 'label', error: 'label', 'code?': 'label' },
};

/** Error body of plans, which name the step. */
export const PLAN_ERROR: Shape = { fields: { ...BUILDER_ERROR.fields, 'step?': 'integer' } };

/** Error body of reads. */
export const ERROR: Shape = { fields: { error: 'label' } };

/** Body of reads for invalid input. */
export const VALIDATION_ERROR: Shape = {
  fields: {
    error: 'label',
    details: {
      list: { fields: { code: 'label', path: { list: 'anything' }, message: 'label' } },
    },
  },
};

/** A missing account. */
export const NOT_FOUND: Shape = { fields: { metadata: 'label' } };

/** Operations that document only 500: every failure is 500 `{error}`. */
export const ONLY_500: readonly string[] = [
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/metrics/history',
  '/svc-market/{pubkey}/reserves/metrics',
  '/v2/svc-market/{pubkey}',
];

/** Operations with a 404 `{metadata}`. */
export const WITH_NOT_FOUND: readonly string[] = [
  '/kvaults/vaults/{pubkey}',
  '/kvaults/vaults/{pubkey}/metrics',
  '/kvaults/vaults/{pubkey}/allocations',
  '/kvaults/vaults/{pubkey}/metrics/history',
  '/kvaults/vaults/{pubkey}/allocation-volume/history',
  '/kvaults/vaults/metrics/history',
  '/kvaults/vaults/{pubkey}/transactions',
  '/kvaults/vaults/{pubkey}/backtest',
  '/kvaults/vaults/{pubkey}/risk',
  '/kvaults/curators/{address}',
  '/kvaults/curators/{address}/fees/history',
  '/luts/managed',
  '/v2/airdrop/metrics',
  '/kvaults/users/{userPubkey}/positions/{vaultPubkey}',
  '/kvaults/mints/{pubkey}/metadata',
  '/kvaults/mints/{pubkey}/metadata/image.svg',
  '/klend/loans/{pubkey}',
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-fees',
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/interest-paid',
];

/** The status of invalid input, and of a server failure. */
export function badInputStatus(path: string): number {
  return ONLY_500.includes(path) ? 500 : 400;
}

/** The expected error body. */
export function errorBody(path: string, status: number, validation: boolean): Shape {
  if (path.startsWith('/ktx/plan')) return PLAN_ERROR;
  if (path.startsWith('/ktx/')) return BUILDER_ERROR;
  if (status === 404 && WITH_NOT_FOUND.includes(path)) return NOT_FOUND;
  return validation && status === 400 ? VALIDATION_ERROR : ERROR;
}
