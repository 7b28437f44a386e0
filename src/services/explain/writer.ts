import type { Address } from '@solana/kit';
import { placePoint } from '../../numeric/decimal.ts';
import { U64_MAX } from '../../numeric/fraction.ts';
import type { Session } from '../records.ts';
import { shortened, tokenSymbol } from '../tokens.ts';
import { visibleText } from '../visible-text.ts';
import type { FactsByAddress } from './account-facts.ts';
import type { NamedInstruction } from './named-instructions.ts';

const STAKE_DECIMALS = 18;
const SOL_DECIMALS = 9;
const U128_MAX = (1n << 128n) - 1n;

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
    const symbol = visibleText(tokenSymbol(this.#session.view, mint));
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
    const symbol = visibleText(tokenSymbol(this.#session.view, token.mint));
    return `${placePoint(scaled, STAKE_DECIMALS + Number(token.decimals))} ${symbol}`;
  }

  sol(arg: string): string {
    return `${placePoint(this.units(arg), SOL_DECIMALS)} SOL`;
  }
}
