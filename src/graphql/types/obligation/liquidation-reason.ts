import type { LiquidationReason } from '../../../services/risk/obligation-what-if.ts';
import { builder } from '../../builder.ts';

export const LiquidationReasonRef = builder.enumType('LiquidationReason', {
  description: 'Why the lending program accepts a liquidation: the first reason that applies, in its order.',
  values: {
    UNHEALTHY: { description: 'The debt of the obligation has reached its liquidation limit.' },
    MATURITY: { description: 'The reserve of the debt has matured, however healthy the obligation is.' },
    TERM: { description: 'The term of the debt has ended, however healthy the obligation is.' },
  } as const satisfies Record<LiquidationReason, object>,
});
