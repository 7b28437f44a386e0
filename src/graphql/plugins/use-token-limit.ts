import { GraphQLError, Lexer, type ParseOptions, parse, Source, TokenKind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { SluiceError } from '../../errors/sluice-error.ts';
import { requireShallowDocument } from '../../http/document-depth.ts';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import { hasTooManyOverlaps, MAX_OVERLAPS } from '../cost/overlaps.ts';

/** Bounds long tokens: a literal of a megabyte is one token. The longest usual token, a quoted address, has 46 characters. */
const CHARACTERS_PER_TOKEN = 50;

/** Rejects documents with too many tokens or too deep a nesting before parsing them, and documents that would take too long to validate. */
export function useTokenLimit(ceiling: number): Plugin {
  return {
    onParse({ setParseFn }) {
      setParseFn((source: string | Source, options?: ParseOptions) => {
        const text = typeof source === 'string' ? source : source.body;
        if (exceedsTokens(text, ceiling)) throw new SluiceError('QUERY_TOO_LONG', { ceiling });
        requireShallowDocument(text);
        // Parsing and validation cannot pause; `useQueryLimits` does so after them.
        scheduler.begin();
        const document = parse(source, options);
        if (hasTooManyOverlaps(document))
          throw new SluiceError('TOO_MANY_OVERLAPS', { ceiling: MAX_OVERLAPS });
        return document;
      });
    },
  };
}

function exceedsTokens(text: string, ceiling: number): boolean {
  // A token has at least one character.
  if (text.length <= ceiling) return false;
  if (text.length > ceiling * CHARACTERS_PER_TOKEN) return true;
  const lexer = new Lexer(new Source(text));
  try {
    for (let tokens = 0; tokens <= ceiling; tokens += 1) {
      if (lexer.advance().kind === TokenKind.EOF) return false;
    }
    return true;
  } catch (error) {
    // The parser reports the syntax error.
    if (error instanceof GraphQLError) return false;
    throw error;
  }
}
