import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import type { Address } from '@solana/kit';
import { shortened } from '../../builders/shortened.ts';
import type { NamedInstruction } from '../../builders/signing/named-instructions.ts';
import type { Session } from '../request/session.ts';
import { displayText } from '../tokens/display-text.ts';
import { tokenSymbol } from '../tokens/tokens.ts';
import type { FactsByAddress } from './account-facts.ts';

const STAKE_DECIMALS = 18;
const SOL_DECIMALS = 9;
const U128_MAX = (1n << 128n) - 1n;

/** Says what an instruction does. */
type Sentence = (w: Writer) => string;

/** By name of the instruction. */
export type Sentences = Readonly<Record<string, Sentence>>;

/** Writes about one instruction. */
export class Writer {
  readonly #session: Session;
  readonly #facts: FactsByAddress;
  readonly #instruction: NamedInstruction;

  constructor(session: Session, facts: FactsByAddress, instruction: NamedInstruction) {
    this.#session = session;
    this.#facts = facts;
    this.#instruction = instruction;
  }

  arg(name: string): unknown {
    return this.#instruction.args?.[name];
  }

  get data(): Uint8Array {
    return this.#instruction.data;
  }

  /** Bytes of an argument as a little-endian number. */
  number(name: string): bigint {
    const value = this.arg(name);
    if (!(value instanceof Uint8Array)) return 0n;
    return value.reduceRight((number, byte) => (number << 8n) | BigInt(byte), 0n);
  }

  /** Bytes of an argument as text. */
  text(name: string): string {
    const value = this.arg(name);
    return value instanceof Uint8Array ? displayText(new TextDecoder().decode(value)) : '';
  }

  isSame(role: string, other: string): boolean {
    return this.#instruction.role(role) === this.#instruction.role(other);
  }

  /** The ends of an account's address, for one whose name does not tell it from others. */
  ends(role: string): string {
    const address = this.#instruction.role(role);
    return address === null ? 'an unknown account' : shortened(address);
  }

  units(name: string): bigint {
    const value = this.arg(name);
    return typeof value === 'bigint' ? value : 0n;
  }

  /** The name of an account, or the ends of its address. */
  the(role: string): string {
    const address = this.#instruction.role(role);
    if (address === null) return 'an unknown account';
    return this.#facts.get(address)?.name ?? shortened(address);
  }

  address(name: string): string {
    return shortened(String(this.arg(name)) as Address);
  }

  /** An amount of the token that a mint, a token account or, with a mint of its own, another account has. */
  tokens(arg: string, role: string, all = 'all'): string {
    const address = this.#instruction.role(role);
    const mint = address === null ? null : (this.#facts.get(address)?.mint ?? address);
    const units = this.units(arg);
    if (mint === null) return `${units} base units of an unknown token`;
    const symbol = displayText(tokenSymbol(this.#session.view, mint));
    if (units === U64_MAX) return `${all} ${symbol}`;
    const { view } = this.#session;
    const decimals = view.get('mint', mint)?.value.decimals ?? this.#facts.get(mint)?.decimals ?? null;
    return decimals === null
      ? `${units} base units of ${symbol}`
      : `${placePoint(units, decimals)} ${symbol}`;
  }

  /** The argument is base units times 10^18. */
  stake(): string {
    const farm = this.#instruction.role('farmState');
    const token = farm === null ? undefined : this.#session.view.get('farm', farm)?.value.token;
    const scaled = this.units('stakeSharesScaled');
    if (scaled === U128_MAX) return 'everything';
    if (token === undefined) return `${placePoint(scaled, STAKE_DECIMALS)} base units`;
    const symbol = displayText(tokenSymbol(this.#session.view, token.mint));
    return `${placePoint(scaled, STAKE_DECIMALS + Number(token.decimals))} ${symbol}`;
  }

  sol(arg: string): string {
    return `${placePoint(this.units(arg), SOL_DECIMALS)} SOL`;
  }
}
