import { readFile } from 'node:fs/promises';
import { type Address, createKeyPairSignerFromBytes, isAddress, type KeyPairSigner } from '@solana/kit';
import { SETTINGS } from '../../config/settings.ts';
import { SluiceError } from '../../errors/sluice-error.ts';
import { defineCommand } from '../define-command.ts';

export interface CheckArguments {
  readonly rpcUrl: string;
  readonly wallet: Address;
  /** Null when only an address was given; then nothing can be signed. */
  readonly signer: KeyPairSigner | null;
  readonly send: boolean;
  /** Null for the market of the reserve. */
  readonly market: Address | null;
  /** Reserve to deposit into; null for the largest. */
  readonly reserve: Address | null;
  /** Reserve to borrow from; null for the largest other one of the market. */
  readonly borrowReserve: Address | null;
  /** Null for the most valuable vault. */
  readonly vault: Address | null;
  /** Whole tokens to deposit into the vault and the reserve. */
  readonly amount: string;
  /** Whole tokens to borrow; null for a hundredth of a token, or less where the deposit is worth too little. */
  readonly borrowAmount: string | null;
}

const text = { type: 'string' } as const;

export const PROGRAMS_CHECK = defineCommand({
  usage: `npm run programs-check -- --rpc URL --wallet KEYFILE [--send] [--market ADDRESS] [--vault ADDRESS]
        [--reserve ADDRESS] [--borrow-reserve ADDRESS] [--amount TOKENS] [--borrow-amount TOKENS]
Runs every action that one wallet can do through the programs of a cluster. With --send, repayments and withdrawals take
everything: use a wallet made for it. Without, an address in place of KEYFILE is enough.
`,
  options: {
    rpc: text,
    wallet: text,
    send: { type: 'boolean', default: false },
    market: text,
    reserve: text,
    'borrow-reserve': text,
    vault: text,
    amount: { type: 'string', default: '0.1' },
    'borrow-amount': text,
  },
  accept: ({ values }): Values => values,
});

interface Values {
  readonly rpc?: string;
  readonly wallet?: string;
  readonly send: boolean;
  readonly market?: string;
  readonly reserve?: string;
  readonly 'borrow-reserve'?: string;
  readonly vault?: string;
  readonly amount: string;
  readonly 'borrow-amount'?: string;
}

const invalid = (name: string, allowed: string) =>
  new SluiceError('CONFIG_INVALID', { variable: `--${name}`, allowed });

/** Errors name the option, and never quote a key file. */
export async function checkedArguments(values: Values): Promise<CheckArguments> {
  const [rpcUrl, other] = SETTINGS.SOLANA_RPC_URLS.parse(values.rpc ?? '') ?? [];
  if (rpcUrl === undefined || other !== undefined)
    throw invalid('rpc', 'must be the URL of one RPC endpoint');
  const { wallet, signer } = await walletOf(values.wallet);
  if (values.send && signer === null) throw invalid('wallet', 'must be a key file when --send is given');
  return {
    rpcUrl,
    wallet,
    signer,
    send: values.send,
    market: addressOf('market', values.market),
    reserve: addressOf('reserve', values.reserve),
    borrowReserve: addressOf('borrow-reserve', values['borrow-reserve']),
    vault: addressOf('vault', values.vault),
    amount: values.amount,
    borrowAmount: values['borrow-amount'] ?? null,
  };
}

function addressOf(name: string, given: string | undefined): Address | null {
  if (given === undefined) return null;
  if (!isAddress(given)) throw invalid(name, 'must be an address');
  return given;
}

/** Accepts a key file in the format of the Solana CLI or, when nothing is signed, an address. */
async function walletOf(given: string | undefined) {
  if (given === undefined) throw invalid('wallet', 'must be a key file, or an address without --send');
  if (isAddress(given)) return { wallet: given, signer: null };
  const signer = await signerOf(given);
  return { wallet: signer.address, signer };
}

/** Errors never include the content of the file. */
async function signerOf(file: string): Promise<KeyPairSigner> {
  try {
    const bytes: unknown = JSON.parse(await readFile(file, 'utf8'));
    const isByte = (each: unknown) => Number.isInteger(each) && Number(each) >= 0 && Number(each) <= 255;
    if (!Array.isArray(bytes) || bytes.length !== 64 || !bytes.every(isByte)) throw new TypeError();
    return await createKeyPairSignerFromBytes(Uint8Array.from(bytes));
  } catch {
    throw invalid(
      'wallet',
      'must be a readable key file: a JSON list of 64 bytes whose last 32 are the public key',
    );
  }
}
