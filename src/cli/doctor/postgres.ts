import { createHash, randomBytes } from 'node:crypto';
import { Conversation } from './conversation.ts';
import { answerScram } from './scram.ts';

/** A refusal of the server, by its five-letter SQLSTATE; its own words may name hosts and users. */
export class PostgresRefusal extends Error {
  readonly sqlState: string;

  constructor(sqlState: string) {
    super(sqlState);
    this.sqlState = sqlState;
  }
}

interface Login {
  readonly user: string;
  readonly password: string;
}

const PROTOCOL_3 = 196_608;
const ENCRYPTION_REQUEST = 80_877_103;
const ASKS_OK = 0;
const ASKS_PLAIN = 3;
const ASKS_MD5 = 5;
const ASKS_SCRAM = 10;
const SCRAM_CHALLENGE = 11;
const SCRAM_DONE = 12;

/** Logs in and hangs up. Returns the server's version. @throws PostgresRefusal, or an error of the socket */
export async function greetPostgres(url: URL, timeoutMs: number): Promise<string> {
  const host = decodeURIComponent(url.hostname).replace(/^\[|\]$/g, '');
  const conversation = await Conversation.open({ host, port: Number(url.port || 5432), timeoutMs });
  try {
    await agreeOnEncryption(conversation, host, url.searchParams.get('sslmode') ?? 'prefer');
    const user = decodeURIComponent(url.username) || 'postgres';
    const database = decodeURIComponent(url.pathname.slice(1)) || user;
    const login = { user, password: decodeURIComponent(url.password) };
    conversation.send(framed(uint32(PROTOCOL_3), text('user', user, 'database', database, '')));
    return await logIn(conversation, login);
  } finally {
    conversation.send(message('X'));
    conversation.close();
  }
}

async function agreeOnEncryption(conversation: Conversation, host: string, mode: string): Promise<void> {
  if (mode === 'disable') return;
  conversation.send(framed(uint32(ENCRYPTION_REQUEST)));
  const offered = (await conversation.bytes(1)).toString() === 'S';
  if (offered) await conversation.encrypt(host, mode.startsWith('verify'));
  else if (mode !== 'prefer' && mode !== 'allow') throw new PostgresRefusal('no encryption');
}

/** Reads until the server is ready for a query. */
async function logIn(conversation: Conversation, login: Login): Promise<string> {
  let version = 'unknown';
  for (;;) {
    const type = (await conversation.bytes(1)).toString();
    const length = (await conversation.bytes(4)).readUInt32BE(0);
    const body = await conversation.bytes(length - 4);
    if (type === 'E') throw new PostgresRefusal(sqlStateOf(body));
    if (type === 'Z') return version;
    if (type === 'R') await authenticate(conversation, login, body);
    if (type === 'S') {
      const [name, value = ''] = body.toString('utf8').split('\0');
      if (name === 'server_version') version = value.split(' ')[0] ?? value;
    }
  }
}

async function authenticate(
  conversation: Conversation,
  { user, password }: Login,
  body: Buffer,
): Promise<void> {
  const kind = body.readUInt32BE(0);
  if (kind === ASKS_PLAIN) conversation.send(message('p', text(password)));
  else if (kind === ASKS_MD5) {
    const inner = md5(Buffer.from(password + user));
    conversation.send(message('p', text(`md5${md5(Buffer.from(inner), body.subarray(4, 8))}`)));
  } else if (kind === ASKS_SCRAM) await scram(conversation, password);
  else if (kind !== ASKS_OK) throw new PostgresRefusal(`authentication method ${kind}`);
}

async function scram(conversation: Conversation, password: string): Promise<void> {
  const first = `n=,r=${randomBytes(18).toString('base64')}`;
  const opening = Buffer.from(`n,,${first}`);
  conversation.send(message('p', text('SCRAM-SHA-256'), uint32(opening.length), opening));
  const answer = answerScram(password, first, await scramStep(conversation, SCRAM_CHALLENGE));
  if (answer === null) throw new PostgresRefusal('authentication challenge');
  conversation.send(message('p', Buffer.from(answer.message)));
  const end = await scramStep(conversation, SCRAM_DONE);
  if (end !== `v=${answer.serverSignature}`) throw new PostgresRefusal('authentication signature');
}

async function scramStep(conversation: Conversation, wanted: number): Promise<string> {
  const type = (await conversation.bytes(1)).toString();
  const body = await conversation.bytes((await conversation.bytes(4)).readUInt32BE(0) - 4);
  if (type === 'E') throw new PostgresRefusal(sqlStateOf(body));
  if (type !== 'R' || body.readUInt32BE(0) !== wanted) throw new PostgresRefusal('authentication order');
  return body.subarray(4).toString('utf8');
}

/** The fields of an error are a letter and a text each. */
function sqlStateOf(body: Buffer): string {
  const code = body
    .toString('utf8')
    .split('\0')
    .find((field) => field.startsWith('C'));
  return code !== undefined && /^C[0-9A-Z]{5}$/.test(code) ? code.slice(1) : 'no code';
}

const md5 = (...parts: readonly Uint8Array[]) => {
  const hash = createHash('md5');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const text = (...texts: readonly string[]) => Buffer.from(texts.map((each) => `${each}\0`).join(''));

/** The length counts itself. */
function framed(...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint32(body.length + 4), body]);
}

const message = (type: string, ...parts: readonly Buffer[]) =>
  Buffer.concat([Buffer.from(type), framed(...parts)]);
