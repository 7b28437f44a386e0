/** Extension of the OpenAPI document: the addresses that its examples use, by name. */
export const EXAMPLE_ADDRESSES = 'x-example-addresses';

export type NamedAddresses = Readonly<Record<string, string>>;

interface Media {
  example?: unknown;
}

interface ExampleDocument {
  readonly [EXAMPLE_ADDRESSES]: NamedAddresses;
  readonly components: { readonly parameters: Readonly<Record<string, Media>> };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: readonly Media[];
            readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
          }
        >
      >
    >
  >;
}

/**
 * The committed OpenAPI document, with addresses of this deployment as the examples of inputs. An input whose address is
 * not known has no example. Examples of answers are unchanged.
 */
export function documentWithAddresses(committed: string, known: NamedAddresses): string {
  const document = JSON.parse(committed) as ExampleDocument;
  const names = new Map(
    Object.entries(document[EXAMPLE_ADDRESSES]).map(([name, address]) => [address, name] as const),
  );
  const replace = (media: Media) => {
    if (media.example !== undefined) media.example = replaced(media.example, names, known);
  };
  Object.values(document.components.parameters).forEach(replace);
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    operation.parameters?.forEach(replace);
    Object.values(operation.requestBody?.content ?? {}).forEach(replace);
  }
  return JSON.stringify({ ...document, [EXAMPLE_ADDRESSES]: known });
}

/** Undefined, which JSON omits, for an address that is not known. */
function replaced(value: unknown, names: ReadonlyMap<string, string>, known: NamedAddresses): unknown {
  if (typeof value === 'string') {
    const name = names.get(value);
    return name === undefined ? value : known[name];
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, names, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, names, known)]));
}
