import type { Misbehaviour } from './faulty-proxy.ts';

/** Upstream text that a caller must never see. */
export const UPSTREAM_WORDS = 'https://rpc.example/?api-key=hunter2';

/** Delays every answer, within the timeout. */
export const slowly =
  (ms: number): Misbehaviour =>
  ({ pass }) => {
    setTimeout(pass, ms).unref();
  };

/** Answers most calls at once; delays every n-th by `ms`. */
export const spikes =
  (every: number, ms: number): Misbehaviour =>
  ({ nth, pass }) => {
    if (nth % every !== 0) pass();
    else setTimeout(pass, ms).unref();
  };

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Misbehaviour =>
  ({ response }) => {
    response.writeHead(code, { 'content-type': 'text/plain', ...headers }).end(`upstream ${UPSTREAM_WORDS}`);
  };

export const resets: Misbehaviour = ({ response }) => {
  response.socket?.resetAndDestroy();
};

/** Starts a valid answer and disconnects. */
export const halfBodies: Misbehaviour = ({ response }) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"jsonrpc":"2.0","id":"1","result":{"context":{"slot":1},"value":[', () =>
    response.destroy(),
  );
};

/** In turn an HTML page, wrong results, an answer with another id, and truncated JSON. */
export const wrongJson: Misbehaviour = ({ nth, body, response }) => {
  const { id } = JSON.parse(body.toString()) as { id: string };
  const result = (value: unknown, of = id) => JSON.stringify({ jsonrpc: '2.0', id: of, result: value });
  const answers = [
    `<html><body>${UPSTREAM_WORDS}</body></html>`,
    result(null),
    result({ context: { slot: 1 }, value: 'nonsense' }),
    result({ context: { slot: 1 }, value: [] }, 'another'),
    '{"jsonrpc":"2.0"',
  ];
  response.writeHead(200, { 'content-type': 'application/json' }).end(answers[nth % answers.length]);
};

/** A lagging node answers, and rejects a minContextSlot that it has not reached. */
export const behind =
  (target: string): Misbehaviour =>
  ({ pass }) =>
    pass(target);

/** The same, by a node that ignores `minContextSlot`. */
export const behindUnsaid =
  (target: string): Misbehaviour =>
  ({ body, pass }) => {
    const request = JSON.parse(body.toString()) as { params?: unknown[] };
    for (const param of request.params ?? []) {
      if (typeof param === 'object' && param !== null)
        delete (param as Record<string, unknown>).minContextSlot;
    }
    pass(target, Buffer.from(JSON.stringify(request)));
  };
