import { GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Where the schema is not told, an error does not tell it either. */
const GUESS = / Did you mean .*\?$/s;

/** Answers no question about the schema. */
export function useNoIntrospection(): Plugin {
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(NoSchemaIntrospectionCustomRule);
      return ({ result, setResult, valid }) => {
        if (!valid) setResult(result.map(withoutGuess));
      };
    },
  };
}

function withoutGuess(error: Error): Error {
  if (!(error instanceof GraphQLError)) return error;
  const message = error.message.replace(GUESS, '');
  return new GraphQLError(message, { nodes: error.nodes ?? null, extensions: error.extensions });
}
