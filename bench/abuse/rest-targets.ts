import { Random } from '@sluice/localnet/world/prng';
import type { Cast } from './cast.ts';
import { type JsonSchema, JsonValues, NEVER_GIVEN } from './json-values.ts';
import type { Knobs } from './knobs.ts';
import type { Attack, Target } from './targets.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Reference {
  readonly $ref: string;
}

interface DocumentedOperation {
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
}

interface Documented {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | null;
}

/** The part of an OpenAPI document that requests are made from. */
export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

const OPTIONAL_PERCENT = 50;

/** Every documented REST operation. All of its valid requests are permitted. */
export function restTargets({ paths, components }: OpenApi, cast: Cast): Target[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Target => {
      const name = `${method.toUpperCase()} ${path}`;
      const documented: Documented = {
        path,
        parameters: (operation.parameters ?? []).map((each) => resolved(each, components.parameters)),
        body: operation.requestBody?.content['application/json']?.schema ?? null,
      };
      return {
        name,
        isStream: false,
        isPlain: false,
        permissible: (knobs) => knobs,
        attack: (knobs, number) =>
          restAttack(documented, { cast, knobs, number, definitions: components.schemas }),
      };
    }),
  );
}

function resolved(given: Parameter | Reference, parameters: Readonly<Record<string, Parameter>>): Parameter {
  if (!('$ref' in given)) return given;
  const found = parameters[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`the document has no ${given.$ref}`);
  return found;
}

interface Chosen {
  readonly cast: Cast;
  readonly knobs: Knobs;
  readonly number: number;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

function restAttack({ path, parameters, body }: Documented, chosen: Chosen): Attack {
  const { knobs, number } = chosen;
  const values = new JsonValues({ ...chosen, optionalPercent: OPTIONAL_PERCENT }, path);
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    // The segments before it tell of what it is the address.
    String(values.of(ADDRESS, [...path.slice(0, path.indexOf(`{${name}}`)).split('/'), name])),
  );
  const random = new Random('rest', knobs.draw, path);
  const query = parameters
    .filter(({ name }) => !NEVER_GIVEN.has(name))
    .filter((each) => each.in === 'query' && (each.required === true || isDrawn(knobs, random)))
    .map(({ name, schema }) => `${name}=${encodeURIComponent([values.of(schema, [name])].flat().join(','))}`);
  return {
    method: body === null ? 'GET' : 'POST',
    // An unknown parameter is ignored, but another URL is not found in a cache.
    target: `${filledPath}?${[...query, `n=${number}`].join('&')}`,
    body: body === null ? null : JSON.stringify(values.of(body, [])),
  };
}

const ADDRESS: JsonSchema = { type: 'string', pattern: '^[1-9A-HJ-NP-Za-km-z]+$' };
const isDrawn = ({ draw }: Knobs, random: Random) => draw !== 0 && random.chance(OPTIONAL_PERCENT);
