import {
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
} from 'graphql';
import { z } from 'zod';

const NUMERIC = z.union([z.string(), z.number()]);
const SCALARS: Readonly<Record<string, z.ZodType>> = {
  BigInt: NUMERIC,
  Boolean: z.boolean(),
  Decimal: NUMERIC,
  Float: z.number(),
  Int: z.int(),
  U64: NUMERIC,
};

export interface InputSchemaOptions {
  /** Fields to offer of a type, where not all of them make sense. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
}

/** Schemas of the input types of the GraphQL API, with their descriptions, so that tools take what the API takes. */
export class InputSchemas {
  readonly #schema: GraphQLSchema;
  readonly #only: Readonly<Record<string, readonly string[]>>;
  readonly #known = new Map<string, z.ZodType>();

  constructor(schema: GraphQLSchema, { only = {} }: InputSchemaOptions = {}) {
    this.#schema = schema;
    this.#only = only;
  }

  /** @param name of an input object or enum */
  of(name: string): z.ZodType {
    const type = this.#schema.getType(name);
    if (!isInputObjectType(type) && !isEnumType(type)) throw new RangeError(`${name} is not an input type`);
    return this.#input(type);
  }

  /** The fields of an input object without some, to which a tool can add its own. */
  fieldsOf(name: string, { without }: { readonly without: readonly string[] }): z.ZodObject {
    const type = this.#schema.getType(name);
    if (!isInputObjectType(type)) throw new RangeError(`${name} is not an input object`);
    return z.strictObject(
      this.#shape(Object.values(type.getFields()).filter((field) => !without.includes(field.name))),
    );
  }

  /** Names of the fields of an input object. */
  fieldNames(name: string): string[] {
    const type = this.#schema.getType(name);
    return isInputObjectType(type) ? Object.keys(type.getFields()) : [];
  }

  #input(type: GraphQLInputType): z.ZodType {
    if (isNonNullType(type)) return this.#input(type.ofType);
    if (isListType(type)) return z.array(this.#input(type.ofType));
    const known = this.#known.get(type.name);
    if (known !== undefined) return known;
    const made = isInputObjectType(type)
      ? this.#object(type)
      : isEnumType(type)
        ? z.enum(type.getValues().map(({ name }) => name))
        : (SCALARS[type.name] ?? z.string());
    this.#known.set(type.name, made);
    return made;
  }

  #object(type: GraphQLInputObjectType): z.ZodType {
    const only = this.#only[type.name];
    const fields = Object.values(type.getFields()).filter(({ name }) => only?.includes(name) ?? true);
    const object = z.strictObject(this.#shape(fields));
    return (type.isOneOf ? exactlyOne(object) : object).meta({ title: type.name });
  }

  #shape(fields: readonly GraphQLInputField[]): Record<string, z.ZodType> {
    const shape = fields.map((field) => {
      const input = this.#input(field.type);
      const described = field.description ? input.describe(field.description) : input;
      return [field.name, isRequiredInputField(field) ? described : described.optional()] as const;
    });
    return Object.fromEntries(shape);
  }
}

/** An object of which the caller gives exactly one field. */
export function exactlyOne<T extends z.ZodObject>(object: T): T {
  const names = Object.keys(object.shape);
  return object
    .refine((given) => Object.values(given).filter((each) => each !== undefined).length === 1, {
      error: `Give exactly one of ${names.join(', ')}.`,
    })
    .meta({ minProperties: 1, maxProperties: 1 });
}
