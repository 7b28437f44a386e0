/** One event of the stream below. */
export interface ObligationUpdate {
  readonly slot: string;
  readonly reason: 'INITIAL' | 'ACCOUNT' | 'PRICE' | 'ACCRUAL';
  readonly address: string;
  readonly obligation: { readonly healthFactor: string | null } | null;
}

const OBLIGATIONS = `subscription Obligations($addresses: [Address!]!) {
  obligations(addresses: $addresses) { slot reason address obligation { healthFactor } }
}`;
const TOKEN = 'mutation { createStreamToken { token } }';
const RETRY_MS = 2_000;

export interface Follow {
  readonly gatewayUrl: string;
  readonly addresses: readonly string[];
  readonly show: (update: ObligationUpdate) => void;
  readonly key?: string;
}

/** The part of a browser's EventSource that this example uses. */
interface Source {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { readonly data: string }) => void): void;
  close(): void;
}

/** Follows obligations with the browser's EventSource and no library. Returns a function that stops. */
export function followObligations({ gatewayUrl, addresses, show, key }: Follow): () => void {
  const { EventSource } = globalThis as unknown as { EventSource: new (url: string) => Source };
  let source: Source | undefined;
  let stopped = false;
  const open = async () => {
    const url = new URL('/graphql', gatewayUrl);
    url.searchParams.set('query', OBLIGATIONS);
    url.searchParams.set('variables', JSON.stringify({ addresses }));
    // EventSource cannot send headers, so a token in the URL replaces the key. It is valid for one minute.
    if (key !== undefined) url.searchParams.set('token', await streamToken(gatewayUrl, key));
    if (stopped) return;
    const opened = new EventSource(url.href);
    source = opened;
    opened.addEventListener('next', ({ data }) => {
      const { data: event } = JSON.parse(data) as { data?: { obligations: ObligationUpdate } };
      if (event) show(event.obligations);
    });
    opened.addEventListener('complete', () => opened.close());
    opened.addEventListener('error', () => {
      // EventSource reconnects after a network error. After a rejection, such as an expired token, it stays closed.
      if (opened.readyState === 2 && !stopped) setTimeout(reopen, RETRY_MS);
    });
  };
  const reopen = () => {
    open().catch(() => {
      if (!stopped) setTimeout(reopen, RETRY_MS);
    });
  };
  reopen();
  return () => {
    stopped = true;
    source?.close();
  };
}

async function streamToken(gatewayUrl: string, key: string): Promise<string> {
  const response = await fetch(new URL('/graphql', gatewayUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query: TOKEN }),
  });
  const { data } = (await response.json()) as { data?: { createStreamToken: { token: string } } };
  if (!data) throw new Error('the gateway returned no token');
  return data.createStreamToken.token;
}
