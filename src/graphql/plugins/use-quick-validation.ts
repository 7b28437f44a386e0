import { NoSchemaIntrospectionCustomRule, specifiedRules, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { isSurelyValid } from '../validate/quick-validation.ts';

/** The rules that one walk can vouch for. */
const VOUCHED_FOR: ReadonlySet<ValidationRule> = new Set([
  ...specifiedRules,
  NoSchemaIntrospectionCustomRule,
]);

/** Passes what is surely valid, as nearly all documents are; the rules look at the rest and tell what is wrong. */
export function useQuickValidation(): Plugin {
  return {
    onValidate({ validateFn, setValidationFn }) {
      setValidationFn((schema, document, rules, typeInfo, options) => {
        const known = rules?.every((rule: ValidationRule) => VOUCHED_FOR.has(rule)) ?? true;
        if (known && isSurelyValid(schema, document)) return [];
        return validateFn(schema, document, rules, typeInfo, options);
      });
    },
  };
}
