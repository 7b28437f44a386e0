/** The wallet of this session: the localnet wallet, or an installed one by its name. */
export type RememberedWallet =
  | { readonly kind: 'localnet' }
  | { readonly kind: 'standard'; readonly name: string };

const KEY = 'sluice:wallet';

export function rememberWallet(wallet: RememberedWallet | null): void {
  const store = sessionStore();
  if (wallet === null) store?.removeItem(KEY);
  else store?.setItem(KEY, JSON.stringify(wallet));
}

/** Null when no wallet was chosen in this tab, or the browser stores nothing. */
export function rememberedWallet(): RememberedWallet | null {
  const text = sessionStore()?.getItem(KEY);
  return text === undefined || text === null ? null : (JSON.parse(text) as RememberedWallet);
}

/** A browser that blocks storage throws on access. */
function sessionStore(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
