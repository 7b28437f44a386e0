import { Decimal } from '@sluice/client';
import { rate, tokens, usd } from '../../format/numbers.ts';
import type { Mine } from './home-documents.ts';

/** A thing worth a look: what it is, what it costs or could bring, and where to do something about it. */
export interface Attention {
  readonly key: string;
  readonly tone: 'danger' | 'caution' | 'info';
  readonly title: string;
  readonly text: string;
  readonly route: string;
  readonly action: string;
}

type Position = NonNullable<Mine['vaultPositions']>['nodes'][number];
type Loan = NonNullable<Mine['obligations']>['nodes'][number];

const ZERO = Decimal.of('0');
/** From this distance to liquidation on, a loan is worth a look. */
const NEAR_HEALTH = Decimal.of('1.3334');
/** Less than this is not worth a transaction. */
const LEAST_USD = Decimal.of('1');

/** The most urgent first. */
export function attentionOf(wallet: Mine, address: string): readonly Attention[] {
  const loans = wallet.obligations?.nodes ?? [];
  return [
    ...loans.flatMap((loan) => nearLiquidation(loan, address)),
    ...loans.flatMap((loan) => costly(loan, address)),
    ...(wallet.vaultPositions?.nodes ?? []).flatMap(unstaked),
    ...claimable(wallet, address),
  ];
}

function nearLiquidation({ address, healthFactor, market }: Loan, wallet: string): Attention[] {
  if (healthFactor === null || Decimal.of(healthFactor).compare(NEAR_HEALTH) >= 0) return [];
  const health = Decimal.of(healthFactor);
  const isDanger = health.compare(Decimal.of('1.1112')) < 0;
  return [
    {
      key: `near ${address}`,
      tone: isDanger ? 'danger' : 'caution',
      title: health.compare(Decimal.of('1')) <= 0 ? 'A loan can be liquidated' : 'A loan is near its limit',
      text: `In ${market?.name ?? 'a market'}, health ${health.format({ locale: 'en-US', places: 2, minPlaces: 2, rounding: 'trunc' })}.`,
      route: `/wallet/${wallet}`,
      action: 'Protect it',
    },
  ];
}

/** A loan that costs more than its collateral earns, such as one that borrows to earn less. */
function costly({ address, netApy, deposits, borrows, stats }: Loan, wallet: string): Attention[] {
  if (netApy === null || borrows.length === 0 || !Decimal.of(netApy).isNegative) return [];
  const [deposit, borrow] = [deposits[0], borrows[0]];
  const isSimple = deposits.length === 1 && borrows.length === 1;
  const at =
    stats?.leverage === undefined || stats.leverage === null
      ? ''
      : `, at ${Decimal.of(stats.leverage).format({ locale: 'en-US', places: 1, minPlaces: 1 })}× leverage`;
  const text =
    isSimple && deposit?.reserve && borrow?.reserve && deposit.amount !== null && borrow.amount !== null
      ? `You pay ${percent(borrow.reserve.borrowApy?.total)} for ${borrow.amount.token.symbol} and earn ${percent(deposit.reserve.supplyApy?.total)} on ${deposit.amount.token.symbol}${at}.`
      : 'Its debts cost more than its deposits earn.';
  return [
    {
      key: `cost ${address}`,
      tone: 'caution',
      title: `A loan that costs you ${rate(Decimal.of(netApy).negated()).text} a year`,
      text,
      route: `/wallet/${wallet}`,
      action: 'Get out or change it',
    },
  ];
}

const percent = (value: string | undefined): string =>
  value === undefined ? 'an unknown rate' : rate(Decimal.of(value)).text;

/** Shares in the wallet earn nothing of the farm. */
function unstaked({ unstakedShares, totalShares, value, vault }: Position): Attention[] {
  if (vault === null || vault.farm === null) return [];
  const idle = Decimal.of(unstakedShares);
  const farmApy = Decimal.of(vault.currentApy?.farmRewards ?? '0');
  const all = Decimal.of(totalShares);
  if (idle.isZero || farmApy.isZero || all.isZero || value === null || value.usd === null) return [];
  const gain = Decimal.of(value.usd).times(idle).dividedBy(all, 6).times(farmApy);
  if (gain.compare(LEAST_USD) < 0) return [];
  return [
    {
      key: `stake ${vault.address}`,
      tone: 'info',
      title: `${tokens(idle, 'shares').text} are not staked`,
      text: `In ${vault.name}. Staked, they would earn about ${usd(gain).text} more a year.`,
      route: `/vaults/${vault.address}`,
      action: 'Stake them',
    },
  ];
}

function claimable({ claimableRewards }: Mine, wallet: string): Attention[] {
  const rewards = (claimableRewards ?? []).filter(({ amount }) => !Decimal.of(amount).isZero);
  const worth = rewards.reduce((sum, each) => sum.plus(Decimal.of(each.usd ?? '0')), ZERO);
  if (worth.compare(LEAST_USD) < 0) return [];
  const [first, second, ...others] = rewards.map(
    ({ amount, token }) => tokens(Decimal.of(amount), token.symbol).text,
  );
  const named = [first, second].filter((text) => text !== undefined).join(', ');
  return [
    {
      key: 'claim',
      tone: 'info',
      title: `${usd(worth).text} of rewards to claim`,
      text: others.length === 0 ? `${named}.` : `${named} and ${others.length} more.`,
      route: `/wallet/${wallet}`,
      action: 'Claim all',
    },
  ];
}
