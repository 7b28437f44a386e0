/** Fields that are all decimals. */
export const decimals = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, 'decimal' as const]));
