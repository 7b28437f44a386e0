/** The fields that are not null. An unknown value is an absent field in answers beyond the specification. */
export function known<T extends Readonly<Record<string, unknown>>>(
  fields: T,
): { readonly [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
