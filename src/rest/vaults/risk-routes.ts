import { SluiceError } from '../../errors/sluice-error.ts';
import { type VaultOutflow, vaultOutflows } from '../../services/risk/vault-outflow.ts';
import {
  type VaultScenario as Scenario,
  type VaultReserveRisk,
  vaultRisk,
} from '../../services/risk/vault-risk.ts';
import { requireReadableReserves } from '../../services/vaults/vaults.ts';
import { LOOKUP_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import { known } from '../values/known.ts';
import { VaultRiskAnswer, VaultRiskBody, type VaultScenario } from './risk-schemas.ts';
import { VaultParams } from './schemas.ts';

const scenarioAnswer = ({
  label,
  badDebtUsd,
  badDebtShare,
  reserves,
}: Scenario): AnswerOf<typeof VaultScenario> => ({
  ...known({ label }),
  badDebtUsd: decimal(badDebtUsd),
  ...known({ badDebtShare: badDebtShare === null ? null : decimal(badDebtShare) }),
  reserves: reserves.map((each) => ({
    reserve: each.reserve,
    liquidatableDebtUsd: decimal(each.liquidatableDebtUsd),
    badDebtUsd: decimal(each.badDebtUsd),
    vaultBadDebtUsd: decimal(each.vaultBadDebtUsd),
  })),
});

const reserveAnswer = ({ index, backing, ...each }: VaultReserveRisk) => ({
  reserve: each.reserve,
  market: each.market,
  share: decimal(each.share),
  shareOfReserve: decimal(each.shareOfReserve),
  utilization: decimal(each.utilization),
  debtUsd: decimal(each.debtUsd),
  unsecuredUsd: decimal(each.unsecuredUsd),
  backing: backing.map(({ reserve, debtUsd, share }) => ({
    reserve,
    debtUsd: decimal(debtUsd),
    share: decimal(share),
  })),
  unvaluedLoans: each.unvaluedLoans,
  loansAsOf: index.indexedAt.toISOString(),
  loansSlot: String(index.slot),
});

const outflowAnswer = ({ within, amount, leastRecorded }: VaultOutflow) => ({
  within,
  ...known({
    amount: amount === null ? null : decimal(amount.amount),
    leastRecorded: leastRecorded === null ? null : decimal(leastRecorded.amount),
  }),
});

const SCENARIO =
  '{ label badDebtUsd badDebtShare reserves { reserveAddress liquidatableDebtUsd badDebtUsd vaultBadDebtUsd } }';

export const VAULT_RISK = operation({
  id: 'getVaultRisk',
  method: 'post',
  path: '/kvaults/vaults/{pubkey}/risk',
  tag: 'Vaults',
  summary: 'What stands behind the tokens of an earn vault',
  description:
    'The collateral behind what the vault lends to, its share of bad debt now and under supposed prices, and how much can leave in an hour, a day and a week. The parts from which a risk can be judged, without a grade. A supposed price that makes no sense is a 400 with SHOCK_INVALID, one of a mint that no reserve has a 400 with SHOCK_MINT_UNKNOWN.',
  graph: `query { vault(address) { risk(shocks) { exposures { kind mint share } reserves { reserveAddress market { address } share shareOfReserve utilization debtUsd unsecuredUsd backing { reserveAddress debtUsd share } unvaluedLoans index { indexedAt slot } } now ${SCENARIO} shocks ${SCENARIO} outflows { within amount { amount } leastRecorded { amount } } } } }`,
  family: LOOKUP_ERRORS,
  holds: 'positions',
  params: VaultParams,
  body: VaultRiskBody,
  response: VaultRiskAnswer,
  example: ({ vault, stakedMint }) => ({
    params: { pubkey: vault },
    body: { shocks: [{ label: 'staking token -20 %', prices: [{ mint: stakedMint, changePct: '-20' }] }] },
  }),
  async answer({ session, platform }, { params, body }) {
    const vault = await session.load('vault', params.pubkey);
    requireReadableReserves(session.view, vault);
    const [risk, outflows] = await Promise.all([
      vaultRisk(platform, session, vault, body.shocks),
      vaultOutflows(platform, session, vault),
    ]);
    if (risk === null || outflows === null) {
      throw new SluiceError('VIEW_NOT_READY', {
        reason: 'a reserve or a market of the vault cannot be read',
      });
    }
    return {
      exposures: risk.exposures.map(({ kind, mint, share }) => ({
        kind,
        ...known({ mint }),
        share: decimal(share),
      })),
      reserves: risk.reserves.map(reserveAnswer),
      now: scenarioAnswer(risk.now),
      shocks: risk.shocks.map(scenarioAnswer),
      outflows: outflows.map(outflowAnswer),
    };
  },
});
