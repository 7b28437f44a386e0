import { describe, expect, it } from 'vitest';
import { actionOf } from '../src/act/action.ts';
import { earlier, MOST_STEPS, type PlanItem, planOf, withItem, withoutItem } from '../src/act/plan.ts';

const item = (amount: string, wallet = 'me'): Omit<PlanItem, 'key'> => ({
  action: actionOf({ target: { kind: 'vault', vault: 'v' }, verb: 'deposit', wallet, amount, loan: null }),
  verb: 'deposit',
  symbol: 'USDC',
  amount: `${amount} USDC`,
});
const planWith = (...amounts: readonly string[]): readonly PlanItem[] =>
  amounts.reduce<readonly PlanItem[]>((plan, amount) => withItem(plan, item(amount)), []);
const amountsOf = (plan: readonly PlanItem[]) => plan.map(({ amount }) => amount.split(' ')[0]);

describe('a plan', () => {
  it('keeps actions in the order in which they were added, six at most', () => {
    const plan = planWith('1', '2', '3', '4', '5', '6', '7');
    expect(amountsOf(plan)).toEqual(['1', '2', '3', '4', '5', '6']);
    expect(plan).toHaveLength(MOST_STEPS);
  });

  it('moves an action one step earlier, and the first one nowhere', () => {
    const plan = planWith('1', '2', '3');
    expect(amountsOf(earlier(plan, plan[2]?.key ?? 0))).toEqual(['1', '3', '2']);
    expect(amountsOf(earlier(plan, plan[0]?.key ?? 0))).toEqual(['1', '2', '3']);
  });

  it('has keys that stay unique after one was removed', () => {
    const plan = planWith('1', '2', '3');
    const shorter = withoutItem(plan, plan[1]?.key ?? 0);
    const longer = withItem(shorter, item('4'));
    expect(amountsOf(longer)).toEqual(['1', '3', '4']);
    expect(new Set(longer.map(({ key }) => key)).size).toBe(3);
  });

  it('has the actions of one wallet', () => {
    const plan = withItem(planWith('1'), item('2', 'other'));
    expect(amountsOf(planOf(plan, 'me'))).toEqual(['1']);
    expect(amountsOf(planOf(plan, 'other'))).toEqual(['2']);
  });
});
