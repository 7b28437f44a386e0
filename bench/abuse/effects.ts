import type { Effect } from './bystander.ts';
import type { Finding } from './report.ts';

/**
 * Runs findings beside another client. Both goals of a field may have found the same request, which is run once;
 * different fields share settings, but not requests.
 */
export async function withEffects(
  findings: readonly Finding[],
  isWanted: (finding: Finding) => boolean,
  run: (finding: Finding) => Promise<Effect>,
): Promise<Finding[]> {
  const known = new Map<string, Effect>();
  const all: Finding[] = [];
  for (const finding of findings) {
    if (!isWanted(finding)) {
      all.push(finding);
      continue;
    }
    const key = `${finding.target} ${JSON.stringify(finding.knobs)}`;
    const effect = known.get(key) ?? (await run(finding));
    known.set(key, effect);
    all.push({ ...finding, effect });
  }
  return all;
}
