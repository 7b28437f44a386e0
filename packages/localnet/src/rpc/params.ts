import { base58ToBytes } from '@sluice/protocol/layout/base58-text';
import type { Address } from '@solana/kit';
import { invalidParams } from './rpc-error.ts';

/** The positional parameters of a call. */
export type Params = readonly unknown[];
/** An optional settings object among the parameters. */
export type Config = Readonly<Record<string, unknown>>;

const MAX_ADDRESS_CHARACTERS = 44;
const ADDRESS_BYTES = 32;
const MAX_SIGNATURE_CHARACTERS = 88;
const SIGNATURE_BYTES = 64;

function isRecord(value: unknown): value is Config {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function required(params: Params, index: number): unknown {
  const value = params[index];
  if (value === undefined) throw invalidParams(`\`params\` should have at least ${index + 1} argument(s)`);
  return value;
}

export function textParam(params: Params, index: number): string {
  const value = required(params, index);
  if (typeof value !== 'string') {
    throw invalidParams(`Invalid params: invalid type: ${describe(value)}, expected a string.`);
  }
  return value;
}

export function flagParam(params: Params, index: number): boolean {
  const value = required(params, index);
  if (typeof value !== 'boolean') {
    throw invalidParams(`Invalid params: invalid type: ${describe(value)}, expected a boolean.`);
  }
  return value;
}

export function listParam(params: Params, index: number): readonly unknown[] {
  const value = required(params, index);
  if (!Array.isArray(value)) {
    throw invalidParams(`Invalid params: invalid type: ${describe(value)}, expected a sequence.`);
  }
  return value;
}

export function integerParam(params: Params, index: number): number {
  return integer(required(params, index));
}

export function configParam(params: Params, index: number): Config {
  const value = params[index];
  if (value === undefined || value === null) return {};
  return record(value);
}

export function record(value: unknown): Config {
  if (!isRecord(value)) {
    throw invalidParams(`Invalid params: invalid type: ${describe(value)}, expected a struct.`);
  }
  return value;
}

export function integer(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw invalidParams(`Invalid params: invalid type: ${describe(value)}, expected u64.`);
  }
  return value;
}

export function optionalInteger(config: Config, key: string): number | undefined {
  const value = config[key];
  return value === undefined || value === null ? undefined : integer(value);
}

export function optionalText(config: Config, key: string): string | undefined {
  const value = config[key];
  return value === undefined || value === null ? undefined : textParam([value], 0);
}

export function addressParam(params: Params, index: number): Address {
  return checkedAddress(textParam(params, index));
}

export function checkedAddress(text: string): Address {
  checkBase58(text, MAX_ADDRESS_CHARACTERS, ADDRESS_BYTES);
  return text as Address;
}

export function signatureParam(params: Params, index: number): string {
  const text = textParam(params, index);
  checkBase58(text, MAX_SIGNATURE_CHARACTERS, SIGNATURE_BYTES);
  return text;
}

/** Null when the text is not padded base64; `Buffer` would silently skip invalid characters. */
export function base64Bytes(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  return Buffer.from(text, 'base64');
}

function checkBase58(text: string, maxCharacters: number, bytes: number): void {
  if (text.length > maxCharacters) throw invalidParams('Invalid param: WrongSize');
  const decoded = base58ToBytes(text);
  if (decoded === null) throw invalidParams('Invalid param: Invalid');
  if (decoded.length !== bytes) throw invalidParams('Invalid param: WrongSize');
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'sequence';
  if (typeof value === 'object') return 'map';
  if (typeof value === 'string') return `string ${JSON.stringify(value.slice(0, 80))}`;
  return `${Number.isInteger(value) ? 'integer' : typeof value} \`${String(value)}\``;
}
