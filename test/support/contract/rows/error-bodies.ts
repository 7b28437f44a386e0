import type { Shape } from '../field-shapes.ts';

/** Every builder's error. */
export const BUILDER_ERROR: Shape = {
  fields: { statusCode: 'integer', message: 'label', error: 'label', 'code?': 'label' },
};

/** A read's error. */
export const ERROR: Shape = { fields: { error: 'label' } };

/** A read's answer to input that does not fit. */
export const VALIDATION_ERROR: Shape = {
  fields: {
    error: 'label',
    details: {
      list: { fields: { code: 'label', path: { list: 'anything' }, message: 'label' } },
    },
  },
};

/** An account that is not there. */
export const NOT_FOUND: Shape = { fields: { metadata: 'label' } };

/** Operations that list 500 alone: there everything that goes wrong in them is 500 `{error}`. */
export const ONLY_500: readonly string[] = [
  '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/metrics/history',
  '/svc-market/{pubkey}/reserves/metrics',
  '/v2/svc-market/{pubkey}',
];

/** Operations with a 404 `{metadata}`. */
export const WITH_NOT_FOUND: readonly string[] = [
  '/kvaults/vaults/{pubkey}',
  '/kvaults/vaults/{pubkey}/metrics',
  '/kvaults/vaults/{pubkey}/metrics/history',
  '/kvaults/vaults/{pubkey}/allocation-volume/history',
  '/kvaults/users/{userPubkey}/positions/{vaultPubkey}',
  '/kvaults/mints/{pubkey}/metadata',
  '/kvaults/mints/{pubkey}/metadata/image.svg',
  '/klend/loans/{pubkey}',
];

/** The status of wrong input, and of a failure that is not the caller's. */
export function badInputStatus(path: string): number {
  return ONLY_500.includes(path) ? 500 : 400;
}

/** What the body of an error must be. */
export function errorBody(path: string, status: number, validation: boolean): Shape {
  if (path.startsWith('/ktx/')) return BUILDER_ERROR;
  if (status === 404 && WITH_NOT_FOUND.includes(path)) return NOT_FOUND;
  return validation && status === 400 ? VALIDATION_ERROR : ERROR;
}
