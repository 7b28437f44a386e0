import { GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Suggestions in validation errors name types and fields of the schema. */
const SUGGESTION = / Did you mean .*\?$/s;

/** Rejects introspection, and removes suggestions from validation errors. */
export function useNoIntrospection(): Plugin {
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(NoSchemaIntrospectionCustomRule);
      return ({ result, setResult, valid }) => {
        if (!valid) setResult(result.map(withoutSuggestion));
      };
    },
  };
}

function withoutSuggestion(error: Error): Error {
  if (!(error instanceof GraphQLError)) return error;
  const message = error.message.replace(SUGGESTION, '');
  return new GraphQLError(message, { nodes: error.nodes ?? null, extensions: error.extensions });
}
