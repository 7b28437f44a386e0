import { type TransformOptions, transform } from 'esbuild';

/** As `src/start/compiled.ts` calls it. */
const AS_FUNCTION: TransformOptions = {
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  banner: '(function (require, moduleUrl, module) {',
  footer: '})',
  define: { 'import.meta.url': 'moduleUrl' },
  // Code from a compiled form cannot `import`: node knows no module that it belongs to.
  supported: { 'dynamic-import': false },
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
};

/** What a part takes from others stands at its beginning. */
const IMPORTS = /^(?:import (?:\{[^{}]*\} from )?"\.\/[^"]+";\n)*/;
const IMPORT = /^import \{([^{}]*)\} from "(\.\/[^"]+)";$/gm;
const EXPORTS = /^export \{([^{}]*)\};$/gm;

interface Name {
  /** In the part that has it. */
  readonly own: string;
  /** Where it goes. */
  readonly other: string;
}

export interface Part {
  /** As others import it: `./name.js`. */
  readonly name: string;
  /** A module, with its map in it. */
  readonly code: string;
}

export interface CompiledPart {
  readonly name: string;
  readonly code: string;
  readonly map: string;
}

/**
 * Makes functions of the parts of a program. A part takes what never changes from another once, as its own, since asking
 * for it at each use is slower; what is assigned later it asks for at each use, as modules do.
 */
export async function compiledParts(parts: readonly Part[]): Promise<CompiledPart[]> {
  const constants = new Map(parts.map((part) => [part.name, constantExports(part.code)]));
  return await Promise.all(
    parts.map(async ({ name, code }) => {
      const made = await transform(
        code.replace(IMPORTS, (imports) =>
          imports.replaceAll(IMPORT, (_, names: string, from: string) =>
            taken(namesIn(names), from, constants.get(from)),
          ),
        ),
        { ...AS_FUNCTION, sourcefile: name },
      );
      return { name, code: withPlainComments(made.code), map: made.map };
    }),
  );
}

/** On one line each, and in as many lines as before, which the map within counts. */
function taken(names: readonly Name[], from: string, constants: ReadonlySet<string> | undefined): string {
  const once = names.filter(({ own }) => constants?.has(own));
  const live = names.filter(({ own }) => !constants?.has(own));
  const list = (some: readonly Name[], as: string) =>
    some.map(({ own, other }) => (own === other ? own : `${own}${as}${other}`)).join(', ');
  const text = [
    once.length > 0 ? `const { ${list(once, ': ')} } = require("${from}");` : '',
    live.length > 0 ? `import { ${list(live, ' as ')} } from "${from}";` : '',
  ].join(' ');
  return text + '\n'.repeat(names.length + 1);
}

function namesIn(list: string): Name[] {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const [own = each, other = own] = each.split(' as ');
      return { own, other };
    });
}

/** What a part exports and nowhere assigns but where it is declared. Another variable of that name counts as the same. */
function constantExports(code: string): ReadonlySet<string> {
  const exported = [...code.matchAll(EXPORTS)].flatMap(([, names = '']) => namesIn(names));
  const assigned = assignedNames(code);
  return new Set(exported.filter(({ own }) => !assigned.has(own)).map(({ other }) => other));
}

function assignedNames(code: string): ReadonlySet<string> {
  const found = new Set<string>();
  const declared = new Set<string>();
  for (const [, keyword, name = ''] of code.matchAll(
    /(?:^(var|let|const) )?(?<![.\w$])([\w$]+) *(?:=(?![=>])|(?:[-+*/%&|^]|\*\*|<<|>>>?|&&|\|\||\?\?)=|\+\+|--)/gm,
  )) {
    // The first declaration at the top is not an assignment.
    if (keyword !== undefined && !declared.has(name)) declared.add(name);
    else found.add(name);
  }
  for (const [, name = ''] of code.matchAll(/(?:\+\+|--)([\w$]+)/g)) found.add(name);
  for (const [, name = ''] of code.matchAll(/^(?:var|let) ([\w$]+);$/gm)) found.add(name);
  return found;
}

/** All else is ASCII already, which takes half the memory of other text and no decoding. */
function withPlainComments(code: string): string {
  return code.replaceAll(/^ *\/\/.*$/gm, (comment) => comment.replaceAll(/[^\x20-\x7e]/g, '?'));
}
