import type { Plugin } from 'graphql-yoga';
import { executeByPlan } from '../executor/execute.ts';

/** Executes by plans, which is many times as fast; what has no plan is executed as usual. */
export function usePlannedExecution(): Plugin {
  return {
    onExecute({ executeFn, setExecuteFn }) {
      setExecuteFn((args) => executeByPlan(args) ?? executeFn(args));
    },
  };
}
