const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface OriginSettings {
  /** `*` names no origin: it lets pages read public answers, not drive an assistant's tools. */
  readonly corsOrigins: '*' | readonly string[];
  readonly publicUrl: string | null;
}

/**
 * Whether a request may come from its origin, as the protocol asks against DNS rebinding. Programs send no origin; pages
 * are allowed from this machine, from the public URL, and from the origins that the operator has named.
 */
export function isAllowedOrigin(origin: string | null, { corsOrigins, publicUrl }: OriginSettings): boolean {
  if (origin === null) return true;
  if (!URL.canParse(origin)) return false;
  if (corsOrigins !== '*' && corsOrigins.includes(origin)) return true;
  if (publicUrl !== null && new URL(publicUrl).origin === origin) return true;
  return LOOPBACK.has(new URL(origin).hostname);
}
