import type { BuiltStep, PreviewSubject } from '../action.ts';
import { type Change, NO_FIGURES, type Preview } from '../preview.ts';
import { combinedVault } from './vault-figures.ts';

/** The part of a subject that a figure is about. A figure that is not listed is about the account. */
const PART_OF_FIGURE: Partial<Record<keyof Preview, 'pool' | 'position'>> = {
  supplyApy: 'pool',
  borrowApy: 'pool',
  utilization: 'pool',
  shares: 'position',
  tokens: 'position',
};

/**
 * The preview of a whole plan. Each figure goes from before the first step to after the last step that states it. A figure
 * that the steps state for different subjects, such as the health factors of two obligations, is null: the previews of the
 * steps have it. Fees and warnings are those of all steps.
 */
export function planPreview(steps: readonly BuiltStep[]): Preview {
  const [only, ...others] = steps;
  if (only !== undefined && others.length === 0) return only.preview();
  const figures = Object.keys(NO_FIGURES) as (keyof Preview)[];
  return Object.fromEntries(figures.map((figure) => [figure, combined(steps, figure)])) as unknown as Preview;
}

function combined(steps: readonly BuiltStep[], figure: keyof Preview): Preview[keyof Preview] {
  if (Array.isArray(NO_FIGURES[figure])) {
    return steps.flatMap((step) => step.preview()[figure] as readonly never[]);
  }
  if (figure === 'vault') return combinedVault(steps.flatMap((step) => step.preview().vault ?? []));
  const stating = steps.filter((step) => step.preview()[figure] !== null);
  const [first] = stating;
  const last = stating.at(-1);
  if (first === undefined || last === undefined) return null;
  const value = first.preview()[figure];
  if (first === last) return value;
  const end = last.preview()[figure];
  const subject = subjectOf(first.about, figure);
  const isSame = subject !== null && stating.every(({ about }) => subjectOf(about, figure) === subject);
  return isSame && isChange(value) && isChange(end) ? { before: value.before, after: end.after } : null;
}

function subjectOf(about: PreviewSubject | undefined, figure: keyof Preview): string | null {
  if (about === undefined) return null;
  const { account, pool, side } = about;
  const part = PART_OF_FIGURE[figure];
  if (part === 'pool') return pool;
  return part === 'position' ? `${account} ${pool} ${side}` : account;
}

function isChange(value: Preview[keyof Preview]): value is Change {
  return typeof value === 'object' && value !== null && 'before' in value && 'after' in value;
}
