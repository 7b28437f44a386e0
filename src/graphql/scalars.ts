import { parseAddress } from '@sluice/protocol/layout/base58';
import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { type CodedError, isCodedError, SluiceError } from '../errors/sluice-error.ts';
import { parseInstant } from '../services/history/instant.ts';

function coded(error: CodedError): GraphQLError {
  return new GraphQLError(error.message, { extensions: { code: error.code } });
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}

/** The text of a variable. Lists and objects have none, so an error message names only their kind. */
function inputText(value: unknown): string {
  if (typeof value !== 'object') return textOf(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** Reads a literal as its source text, so that a number keeps all its digits. */
function literalText(node: ValueNode): string {
  return node.kind === Kind.STRING || node.kind === Kind.INT || node.kind === Kind.FLOAT
    ? node.value
    : node.kind;
}

function parsedAddress(value: unknown): Address {
  try {
    return parseAddress(inputText(value));
  } catch (error) {
    throw isCodedError(error) ? coded(error) : error;
  }
}

export const addressScalar = new GraphQLScalarType<Address, string>({
  name: 'Address',
  description: 'A Solana address: 32 bytes in base58.',
  serialize: textOf,
  parseValue: parsedAddress,
  parseLiteral: (node) => parsedAddress(literalText(node)),
});

function parsedDecimal(value: unknown): Rational {
  try {
    return parseDecimal(inputText(value));
  } catch (error) {
    throw isCodedError(error) ? coded(error) : error;
  }
}

export const decimalScalar = new GraphQLScalarType<Rational, string>({
  name: 'Decimal',
  description:
    'A decimal number as a string in plain notation, without an exponent or trailing zeros. It is computed exactly and rounded once, half-even, to at most 34 significant digits (IEEE 754 decimal128). Parts that are published next to their total are rounded to the same decimal place, so they add up to it exactly. Rates and ratios are fractions: "0.05" means 5%.',
  serialize: (value) => (value instanceof Rational ? toDecimalString(value) : textOf(value)),
  parseValue: parsedDecimal,
  parseLiteral: (node) => parsedDecimal(literalText(node)),
});

function parsedU64(value: unknown): bigint {
  const text = inputText(value);
  const number = /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
  if (number < 0n || number > U64_MAX) {
    const context = {
      what: 'An unsigned 64-bit integer',
      value: text.slice(0, 80),
      min: '0',
      max: String(U64_MAX),
    };
    throw coded(new SluiceError('NUMBER_OUT_OF_RANGE', context));
  }
  return number;
}

export const u64Scalar = new GraphQLScalarType<bigint, string>({
  name: 'U64',
  description: 'An unsigned 64-bit integer as a string, because a JSON number cannot hold it exactly.',
  serialize: textOf,
  parseValue: parsedU64,
  parseLiteral: (node) => parsedU64(literalText(node)),
});

function parsedBigInt(value: unknown): bigint {
  const text = inputText(value);
  if (!/^-?\d{1,100}$/.test(text)) {
    const context = { what: 'An integer', value: text.slice(0, 80), min: '-10^100 + 1', max: '10^100 - 1' };
    throw coded(new SluiceError('NUMBER_OUT_OF_RANGE', context));
  }
  return BigInt(text);
}

export const bigIntScalar = new GraphQLScalarType<bigint, string>({
  name: 'BigInt',
  description:
    'An integer of any length as a string of digits, with a leading minus if negative, because a JSON number cannot hold it exactly.',
  serialize: textOf,
  parseValue: parsedBigInt,
  parseLiteral: (node) => parsedBigInt(literalText(node)),
});

function parsedDate(value: unknown): Date {
  const text = inputText(value);
  const instant = parseInstant(text);
  if (instant === undefined) {
    throw coded(
      new SluiceError('BAD_REQUEST', {
        reason: `"${text.slice(0, 80)}" is not a date. Use ISO 8601 such as "2026-01-31T12:00:00.000Z", or milliseconds since the Unix epoch.`,
      }),
    );
  }
  return instant;
}

export const dateTimeScalar = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description:
    'A point in time in ISO 8601, UTC, with milliseconds, for example "2026-01-31T12:00:00.000Z". Arguments also accept other time zones, a date alone (midnight UTC) and milliseconds since the Unix epoch.',
  serialize: (value) => (value instanceof Date ? value.toISOString() : textOf(value)),
  parseValue: parsedDate,
  parseLiteral: (node) => parsedDate(literalText(node)),
});

export const base64Scalar = new GraphQLScalarType<string, string>({
  name: 'Base64',
  description: 'Bytes in base64 with padding.',
  serialize: textOf,
  parseValue: inputText,
  parseLiteral: literalText,
});

export const jsonScalar = new GraphQLScalarType<unknown, unknown>({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node) => valueFromASTUntyped(node),
});
