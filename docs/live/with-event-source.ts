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
const PAUSE_MS = 2_000;

export interface Follow {
  readonly gatewayUrl: string;
  readonly addresses: readonly string[];
  readonly show: (update: ObligationUpdate) => void;
  readonly key?: string;
}

/** What this needs of a browser's EventSource. */
interface Source {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { readonly data: string }) => void): void;
  close(): void;
}

/** Follows obligations with nothing but what a browser has. Returns the way to stop. */
export function followObligations({ gatewayUrl, addresses, show, key }: Follow): () => void {
  const { EventSource } = globalThis as unknown as { EventSource: new (url: string) => Source };
  let source: Source | undefined;
  let stopped = false;
  const open = async () => {
    const url = new URL('/graphql', gatewayUrl);
    url.searchParams.set('query', OBLIGATIONS);
    url.searchParams.set('variables', JSON.stringify({ addresses }));
    // EventSource sends no headers: a token stands for the key, in the URL, for a minute.
    if (key !== undefined) url.searchParams.set('token', await streamToken(gatewayUrl, key));
    if (stopped) return;
    const opened = new EventSource(url.href);
    source = opened;
    opened.addEventListener('next', ({ data }) => {
      const { data: told } = JSON.parse(data) as { data?: { obligations: ObligationUpdate } };
      if (told) show(told.obligations);
    });
    opened.addEventListener('complete', () => opened.close());
    opened.addEventListener('error', () => {
      // While it connects again by itself there is nothing to do. A refusal, such as of an old token, is for good.
      if (opened.readyState === 2 && !stopped) setTimeout(again, PAUSE_MS);
    });
  };
  const again = () => {
    open().catch(() => {
      if (!stopped) setTimeout(again, PAUSE_MS);
    });
  };
  again();
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
  if (!data) throw new Error('the gateway gave no token');
  return data.createStreamToken.token;
}
