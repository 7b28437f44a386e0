import { beforeAll, describe, expect, it } from 'vitest';

const own = { FormData, Headers, Request, Response };

describe('the classes for requests and answers', () => {
  beforeAll(async () => {
    await import('../../src/start/web-classes.ts');
  });

  it('are no longer those that node loads its client for', () => {
    expect([FormData, Headers, Request, Response].map(({ name }) => name)).toEqual(Object.keys(own));
    expect([FormData, Headers, Request, Response]).not.toContain(own.Response);
    expect(new Response().headers).toBeInstanceOf(Headers);
  });

  it('make requests of bodies, forms, headers and signals', async () => {
    const { signal } = new AbortController();
    const sent = new Request('http://sluice.test/graphql?a=b', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: '{"query":"{ market }"}',
      signal,
    });
    expect([sent.method, sent.url]).toEqual(['POST', 'http://sluice.test/graphql?a=b']);
    expect(sent.headers.get('Accept')).toBe('application/json');
    expect(await sent.json()).toEqual({ query: '{ market }' });
    const form = new FormData();
    form.append('name', 'sluice');
    const back = await new Request('http://sluice.test', { method: 'POST', body: form }).formData();
    expect([...back]).toEqual([['name', 'sluice']]);
  });

  it('make answers of texts, bytes and streams', async () => {
    const stream = () =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('sluice'));
          controller.close();
        },
      });
    for (const body of ['sluice', new TextEncoder().encode('sluice'), stream()])
      expect(await new Response(body, { status: 203 }).text()).toBe('sluice');
    expect(await Response.json({ a: 1 }).json()).toEqual({ a: 1 });
    expect(new Response(null, { status: 304 }).body).toBeNull();
  });

  it('read answers of node’s own client', async () => {
    const answer = await fetch('data:text/plain,sluice');
    expect(await new Response(answer.body, { headers: answer.headers }).text()).toBe('sluice');
  });
});
