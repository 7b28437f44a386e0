const WEIGHT_ZERO = /;\s*q\s*=\s*0(?:\.0*)?\s*(?:;|$)/i;

/** Whether an `Accept` header names a media type. A range such as `text/*` does not, and the weight 0 excludes it. */
export function namesType(accept: string | null, type: string): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [name = ''] = range.split(';', 1);
    return name.trim().toLowerCase() === type && !WEIGHT_ZERO.test(range);
  });
}
