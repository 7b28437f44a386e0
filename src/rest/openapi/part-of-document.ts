type Json = Readonly<Record<string, unknown>>;

interface Document extends Json {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly tags: readonly string[] }>>>>;
  readonly tags: readonly { readonly name: string }[];
  readonly components: Readonly<Record<string, Json>>;
}

/** The part of a document that describes the paths below a folder, with the components that these refer to. */
export function partOfDocument(document: Document, folder: string): Json {
  const paths = Object.fromEntries(
    Object.entries(document.paths).filter(([path]) => path.startsWith(folder)),
  );
  const used = new Set(
    Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)),
  );
  const named = referencedFrom(paths, document.components);
  return {
    ...document,
    tags: document.tags.filter(({ name }) => used.has(name)),
    components: Object.fromEntries(
      Object.entries(document.components).map(([kind, components]) => [
        kind,
        // Security requirements name their schemes without a reference.
        kind === 'securitySchemes'
          ? components
          : Object.fromEntries(Object.entries(components).filter(([name]) => named.has(`${kind}/${name}`))),
      ]),
    ),
    paths,
  };
}

const REFERENCE = /"\$ref":"#\/components\/([\w-]+\/[\w-]+)"/g;

/** Names of components, as `kind/name`, that a part of the document refers to, directly or over others. */
function referencedFrom(part: unknown, components: Document['components']): ReadonlySet<string> {
  const found = new Set<string>();
  const open: unknown[] = [part];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const [, reference = ''] of JSON.stringify(next).matchAll(REFERENCE)) {
      if (found.has(reference)) continue;
      found.add(reference);
      const [kind = '', name = ''] = reference.split('/');
      open.push(components[kind]?.[name]);
    }
  }
  return found;
}
