import { Conversation } from './conversation.ts';

/** A refusal of the server, by the word in capitals that it begins with. */
export class RedisRefusal extends Error {}

/** Logs in when the URL has a password, and asks for a sign of life. @throws RedisRefusal, or an error of the socket */
export async function greetRedis(url: URL, timeoutMs: number): Promise<void> {
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '');
  const conversation = await Conversation.open({ host, port: Number(url.port || 6379), timeoutMs });
  try {
    if (url.protocol === 'rediss:') await conversation.encrypt(host, true);
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    if (password !== '') await order(conversation, 'AUTH', ...(user === '' ? [] : [user]), password);
    const database = url.pathname.slice(1);
    if (database !== '') await order(conversation, 'SELECT', database);
    if ((await order(conversation, 'PING')) !== '+PONG') throw new RedisRefusal('no PONG');
  } finally {
    conversation.close();
  }
}

async function order(conversation: Conversation, ...words: readonly string[]): Promise<string> {
  const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`);
  conversation.send(`*${words.length}\r\n${parts.join('')}`);
  const reply = await conversation.line();
  if (reply.startsWith('-')) throw new RedisRefusal(reply.match(/^-([A-Z]+)/)?.[1] ?? 'an error');
  return reply;
}
