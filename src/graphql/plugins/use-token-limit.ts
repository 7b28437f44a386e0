import { GraphQLError, Lexer, type ParseOptions, parse, Source, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { SluiceError } from '../../errors/sluice-error.ts';
import { MAX_OVERLAPS, overlapsTooOften } from '../cost/overlaps.ts';

/** A literal of a megabyte is one token. The longest that anybody writes, an address, has 46 characters. */
const CHARACTERS_PER_TOKEN = 50;

/** Refuses a document that is too long, before a tree is made of it, and one that would be too long to check. */
export function useTokenLimit(ceiling: number): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((source: string | Source, options?: ParseOptions) => {
        if (isLonger(source, ceiling)) throw new SluiceError('QUERY_TOO_LONG', { ceiling });
        const document = parse(source, options);
        if (overlapsTooOften(document)) throw new SluiceError('TOO_MANY_OVERLAPS', { ceiling: MAX_OVERLAPS });
        return document;
      });
    },
  };
}

function isLonger(source: string | Source, ceiling: number): boolean {
  const text = typeof source === 'string' ? source : source.body;
  // A token has a character at least.
  if (text.length <= ceiling) return false;
  if (text.length > ceiling * CHARACTERS_PER_TOKEN) return true;
  const lexer = new Lexer(new Source(text));
  try {
    for (let tokens = 0; tokens <= ceiling; tokens += 1) {
      if (lexer.advance().kind === TokenKind.EOF) return false;
    }
    return true;
  } catch (error) {
    // What cannot be read up to the ceiling is the parser's to refuse.
    if (error instanceof GraphQLError) return false;
    throw error;
  }
}
