import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { type Address, isAddress } from '@solana/kit';
import { z } from 'zod';

/** The parts of an answer of `/swap/v2/build` that are used. */

/** No transaction has room for more, however it is packed. */
const MAX_ITEMS = 64;
const MAX_TABLES = 16;

const address = z
  .string()
  .max(44)
  .refine((text): text is Address => isAddress(text), 'must be an address');

const amount = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform((text) => BigInt(text))
  .refine((value) => value <= U64_MAX, 'must fit into 64 bits');

const instruction = z.object({
  programId: address,
  accounts: z
    .array(z.object({ pubkey: address, isSigner: z.boolean(), isWritable: z.boolean() }))
    .max(MAX_ITEMS),
  data: z.base64().max(2_000),
});

export type AnsweredInstruction = z.output<typeof instruction>;

export const swapAnswer = z.object({
  inputMint: address,
  outputMint: address,
  swapMode: z.literal('ExactIn'),
  inAmount: amount,
  outAmount: amount,
  otherAmountThreshold: amount,
  slippageBps: z.int().min(0).max(10_000),
  setupInstructions: z.array(instruction).max(MAX_ITEMS).default([]),
  swapInstruction: instruction,
  addressesByLookupTableAddress: z
    .record(address, z.array(z.string()).max(256))
    .nullish()
    .transform((tables) => Object.keys(tables ?? {}) as Address[])
    .refine((tables) => tables.length <= MAX_TABLES, `names more than ${MAX_TABLES} lookup tables`),
});

export type SwapAnswer = z.output<typeof swapAnswer>;

/** The body of a 400. */
export const refusalAnswer = z.object({ error: z.string().max(2_000) });
