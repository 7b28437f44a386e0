/** Accounts of instructions that have a page, by the name that the programs give to their role. */
const ROUTES: readonly (readonly [RegExp, { readonly base: string; readonly what: string }])[] = [
  [/^vaultState$/i, { base: '/vaults', what: 'Vault' }],
  [/^(lendingMarket)$/i, { base: '/markets', what: 'Market' }],
  [/reserve$/i, { base: '/reserves', what: 'Reserve' }],
];

/** The page of an account by its role in an instruction. Null when it has none. */
export function placeRoute(
  role: string | null,
  isSigner: boolean,
): { readonly base: string; readonly what: string } | null {
  if (isSigner) return { base: '/wallet', what: 'Wallet' };
  if (role === null) return null;
  return ROUTES.find(([pattern]) => pattern.test(role))?.[1] ?? null;
}
