import * as kit from '@solana/kit';

/** Deposits 25 tokens into a vault of the localnet: start the gateway, then `node docs/signing/first-deposit.js [URL]`. */
const gateway = process.argv[2] ?? 'http://127.0.0.1:4000';
const get = async (path) => (await fetch(gateway + path)).json();
const post = async (path, body) =>
  (
    await fetch(gateway + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  ).json();

const { wallet, vault, secretKey } = await get('/localnet.json');
const { keyPair } = await kit.createKeyPairSignerFromBytes(Uint8Array.from(secretKey));

const built = await post('/ktx/kvault/deposit', { wallet, kvault: vault, amount: '25' });
const unsigned = kit.getTransactionDecoder().decode(kit.getBase64Encoder().encode(built.transaction));
const transaction = kit.getBase64EncodedWireTransaction(await kit.signTransaction([keyPair], unsigned));
const { status, slot, error } = await post('/transactions', { transaction });
process.stdout.write(`${status} ${slot} ${error}\n`);
