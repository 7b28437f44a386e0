import { Random } from '@sluice/localnet/world/prng';
import { stranger } from './arguments.ts';
import { type AddressKind, type Cast, kindAt, nth } from './cast.ts';
import type { Knobs } from './knobs.ts';
import type { Attack, Target } from './targets.ts';

interface ParameterSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly maximum?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: ParameterSchema;
}

interface Reference {
  readonly $ref: string;
}

interface BodySchema {
  readonly properties: Readonly<Record<string, ParameterSchema>>;
}

interface DocumentedOperation {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: BodySchema | Reference }>>;
  };
}

interface Documented {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: BodySchema | null;
}

/** The part of an OpenAPI document that requests are made from. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, BodySchema>>;
  };
}

const OPTIONAL_PERCENT = 50;
const STARTS = ['2020-01-01', '2026-01-01', '0'];

/** Every documented REST operation. All of its valid requests are permitted. */
export function restTargets({ paths, components }: OpenApi, cast: Cast): Target[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Target => {
      const name = `${method.toUpperCase()} ${path}`;
      const body = operation.requestBody?.content['application/json']?.schema;
      const documented: Documented = {
        path,
        parameters: (operation.parameters ?? []).map((each) => resolved(each, components.parameters)),
        body: body === undefined ? null : resolved(body, components.schemas),
      };
      return {
        name,
        isStream: false,
        isPlain: false,
        permissible: (knobs) => knobs,
        attack: (knobs, number) => restAttack(cast, documented, knobs, number),
      };
    }),
  );
}

function resolved<T extends object>(given: T | Reference, components: Readonly<Record<string, T>>): T {
  if (!('$ref' in given)) return given;
  const found = components[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`the document has no ${given.$ref}`);
  return found;
}

function restAttack(
  cast: Cast,
  { path, parameters, body }: Documented,
  knobs: Knobs,
  number: number,
): Attack {
  const random = new Random('rest', knobs.draw, path);
  const value = (name: string, schema: ParameterSchema, place: readonly string[]) =>
    parameterValue({ cast, knobs, number, random }, name, schema, place);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    value(name, { pattern: '' }, [...path.slice(0, path.indexOf(`{${name}}`)).split('/'), name]),
  );
  const query = parameters
    .filter((each) => each.in === 'query' && (each.required === true || isDrawn(knobs, random)))
    .map(({ name, schema }) => `${name}=${encodeURIComponent(value(name, schema, [name]))}`);
  if (body !== null) {
    const fields = Object.entries(body.properties).map(([name, schema]) => [
      name,
      value(name, schema, [name]),
    ]);
    return { method: 'POST', target: filled, body: JSON.stringify(Object.fromEntries(fields)) };
  }
  // An unknown parameter is ignored, but another URL is not found in a cache.
  return { method: 'GET', target: `${filled}?${[...query, `n=${number}`].join('&')}`, body: null };
}

const isDrawn = ({ draw }: Knobs, random: Random) => draw !== 0 && random.chance(OPTIONAL_PERCENT);

interface Values {
  readonly cast: Cast;
  readonly knobs: Knobs;
  readonly number: number;
  readonly random: Random;
}

function parameterValue(
  { cast, knobs, number, random }: Values,
  name: string,
  schema: ParameterSchema,
  place: readonly string[],
): string {
  const address = (kind: AddressKind, at: number) =>
    knobs.strangers ? stranger(kind, at) : nth(cast.members, at)[kind];
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.type === 'boolean') return random.pick(['true', 'false']);
  if (schema.type === 'integer') return String(Math.min(schema.maximum ?? knobs.page, 10 * knobs.page));
  if (schema.type === 'array')
    return Array.from({ length: knobs.list }, (_, i) => address(kindAt(place), number * knobs.list + i)).join(
      ',',
    );
  if (schema.pattern !== undefined) return address(kindAt(place), number);
  if (name === 'amount') return '1';
  if (name === 'start') return random.pick(STARTS);
  return name === 'end' ? new Date().toISOString() : random.pick(['USDC', 'Season1']);
}
