import { SluiceError } from '../errors/sluice-error.ts';

/** Deeper than any query that `MAX_QUERY_DEPTH` can allow, and far from the end of the stack of the parser. */
const MAX_NESTING = 256;

/** Strings, block strings and comments of a GraphQL document, or one bracket. An unclosed string ends with its line. */
const TOKEN = /"""(?:\\"""|[^"]|"(?!""))*(?:"""|$)|"(?:\\.|[^"\\\n\r])*"?|#[^\n\r]*|[[({]|[\])}]/g;

/** Refuses a GraphQL document whose brackets are nested too deep for the recursion of the parser and of the validation. */
export function requireShallowDocument(text: string): void {
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '[' || token === '(' || token === '{') depth += 1;
    else if (token === ']' || token === ')' || token === '}') depth -= 1;
    if (depth > MAX_NESTING) throw new SluiceError('INPUT_TOO_DEEP', { ceiling: MAX_NESTING });
  }
}
