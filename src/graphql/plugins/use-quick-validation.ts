import { passesQuickValidation } from '@sluice/graphql-executor';
import { NoSchemaIntrospectionCustomRule, specifiedRules, type ValidationRule } from 'graphql';
import type { Plugin } from 'graphql-yoga';

/** The rules that the quick check covers. */
const COVERED_RULES: ReadonlySet<ValidationRule> = new Set([
  ...specifiedRules,
  NoSchemaIntrospectionCustomRule,
]);

/** Accepts most valid documents in one pass; all other documents go through the rules, which report the errors. */
export function useQuickValidation(): Plugin {
  return {
    onValidate({ validateFn, setValidationFn }) {
      setValidationFn((schema, document, rules, typeInfo, options) => {
        const isCovered = rules?.every((rule: ValidationRule) => COVERED_RULES.has(rule)) ?? true;
        if (isCovered && passesQuickValidation(schema, document)) return [];
        return validateFn(schema, document, rules, typeInfo, options);
      });
    },
  };
}
