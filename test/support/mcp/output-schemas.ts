import type { JsonSchemaType, JsonSchemaValidator } from '@modelcontextprotocol/client';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

// Optimised code takes longer to make than it saves in a few calls.
const ajv = new Ajv2020({ strict: false, code: { optimize: false } });

/** By the text of the schema: every gateway lists the same tools, and compiling them takes a second of processor time. */
const compiled = new Map<string, ValidateFunction>();

/** Validates for the official client, and for the tests themselves. */
export const OUTPUT_SCHEMAS = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    const validate = compiled.get(text) ?? ajv.compile(schema);
    compiled.set(text, validate);
    return (input) =>
      validate(input)
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: ajv.errorsText(validate.errors) };
  },
};
