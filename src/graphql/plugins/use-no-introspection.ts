import { type ExecutionResult, GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** Suggestions of graphql-js name types, fields and enum values of the schema. */
const SUGGESTION = / Did you mean .*\?$/s;

/**
 * Rejects introspection, and removes suggestions from errors: of validation, and of variables. Must run before messages
 * are truncated.
 */
export function useNoIntrospection(): Plugin {
  return {
    onValidate({ addValidationRule }) {
      addValidationRule(NoSchemaIntrospectionCustomRule);
    },
    onResultProcess({ result, setResult }) {
      if (Array.isArray(result) || Symbol.asyncIterator in result) return;
      const { errors } = result as ExecutionResult;
      if (errors?.some(({ message }) => SUGGESTION.test(message)))
        setResult({ ...result, errors: errors.map(withoutSuggestion) });
    },
  };
}

function withoutSuggestion(error: GraphQLError): GraphQLError {
  return new GraphQLError(error.message.replace(SUGGESTION, ''), {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    path: error.path ?? null,
    originalError: error.originalError ?? null,
    extensions: error.extensions,
  });
}
