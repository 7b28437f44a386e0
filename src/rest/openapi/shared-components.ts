import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Operation } from '../operation/operation.ts';

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>;

/** An operation of the document, by its place. */
type Place = Pick<Operation, 'id' | 'method' | 'path'>;

type Parameter = NonNullable<
  NonNullable<NonNullable<OpenApiDocument['paths']>[string]['get']>['parameters']
>[number];

export type Responses = NonNullable<NonNullable<OpenApiDocument['components']>['responses']>;

const documentedAt = ({ paths = {} }: OpenApiDocument, { method, path }: Place) =>
  paths[path]?.[method] ?? {};

/** Turns each parameter that several operations have into a component, and each of its uses into a reference. */
export function shareParameters(document: OpenApiDocument, places: readonly Place[]): void {
  const uses = new Map<string, { readonly parameter: Parameter; readonly places: Place[] }>();
  for (const place of places) {
    for (const parameter of documentedAt(document, place).parameters ?? []) {
      withoutRepetition(parameter);
      const text = JSON.stringify(parameter);
      const known = uses.get(text);
      if (known === undefined) uses.set(text, { parameter, places: [place] });
      else known.places.push(place);
    }
  }
  const shared = [...uses].filter(([, use]) => use.places.length > 1);
  const names = new Map<string, string>();
  const components: Record<string, Parameter> = {};
  for (const [text, { parameter, places: used }] of shared) {
    const namesakes = shared.filter(([, other]) => nameOf(other.parameter) === nameOf(parameter)).length;
    const name = candidates(nameOf(parameter), used, namesakes > 1).find((each) => !(each in components));
    if (name === undefined) throw new Error(`no component name is left for the parameter ${text}`);
    names.set(text, name);
    components[name] = parameter;
  }
  for (const place of places) {
    const operation = documentedAt(document, place);
    operation.parameters = (operation.parameters ?? []).map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
  }
  document.components = { ...document.components, parameters: components };
}

const nameOf = (parameter: Parameter) => ('name' in parameter ? parameter.name : '');

/** The generator writes the description of a parameter a second time into its schema. */
function withoutRepetition(parameter: Parameter): void {
  if ('schema' in parameter && parameter.schema !== undefined && 'description' in parameter.schema)
    delete parameter.schema.description;
}

/** Names for the component of a parameter, the shortest first. */
function candidates(name: string, [first]: readonly Place[], ambiguous: boolean): string[] {
  const { path = '', id = '' } = first ?? {};
  const segments = path.split('/');
  const at = segments.indexOf(`{${name}}`);
  const before = segments.slice(0, at === -1 ? undefined : at).filter((each) => !each.startsWith('{'));
  return [
    ...(ambiguous ? [] : [capitalised(name)]),
    `${capitalised(before.at(-1) ?? '')}${capitalised(name)}`,
    `${capitalised(id)}${capitalised(name)}`,
  ];
}

/** `x-min-slot` and `xMinSlot` become `XMinSlot`. */
const capitalised = (text: string) =>
  text
    .split(/[^a-zA-Z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Turns the error responses of operations into components, and each of their uses into a reference. */
export function shareErrorResponses(document: OpenApiDocument, operations: readonly Operation[]): void {
  const components: Responses = {};
  for (const operation of operations) {
    const { responses = {} } = documentedAt(document, operation);
    for (const [status, { name }] of Object.entries(operation.family.documented)) {
      const response: Responses[string] | undefined = responses[status];
      if (response === undefined) continue;
      components[name] ??= response;
      if (JSON.stringify(components[name]) !== JSON.stringify(response))
        throw new Error(`two different error responses have the name ${name}`);
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  document.components = { ...document.components, responses: components };
}
