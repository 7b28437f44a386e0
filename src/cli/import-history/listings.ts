import { z } from 'zod';
import { address } from '../deployment/fields.ts';
import { readAnswer } from '../deployment/read-answer.ts';
import type { Source } from '../deployment/source.ts';
import type { ImportCommand } from './arguments.ts';
import type { ImportSubject } from './subjects.ts';

const markets = z.array(z.object({ lendingMarket: address }));
const reserves = z.array(z.object({ reserve: address }));
const vaults = z.array(z.object({ address }));

/**
 * The deployment's subjects of these kinds. Reserves come before vaults, because vault histories complete
 * reserves that are already imported. `report` is called for a list that could not be read; the other lists
 * are still used.
 */
export async function listSubjects(
  source: Source,
  { kinds, segment }: Pick<ImportCommand, 'kinds' | 'segment'>,
  report: (problem: string) => void,
): Promise<readonly ImportSubject[]> {
  const list = async <T>(path: string, schema: z.ZodType<readonly T[]>): Promise<readonly T[]> => {
    const answer = await readAnswer(source, path, {}, schema);
    if (answer.kind === 'value') return answer.value;
    report(answer.problem);
    return [];
  };
  const lendingMarkets =
    kinds.includes('market') || kinds.includes('reserve')
      ? (await list(`/v2/${segment}`, markets)).map(({ lendingMarket }) => lendingMarket)
      : [];
  const subjects: ImportSubject[] = [];
  if (kinds.includes('market')) {
    for (const market of lendingMarkets) {
      subjects.push({ kind: 'market', address: market, path: `/${segment}/${market}/metrics/history` });
    }
  }
  if (kinds.includes('reserve')) {
    for (const market of lendingMarkets) {
      for (const { reserve } of await list(`/${segment}/${market}/reserves/metrics`, reserves)) {
        const path = `/${segment}/${market}/reserves/${reserve}/metrics/history`;
        subjects.push({ kind: 'reserve', address: reserve, market, path });
      }
    }
  }
  if (kinds.includes('vault')) {
    for (const vault of await list('/kvaults/vaults', vaults)) {
      const path = `/kvaults/vaults/${vault.address}/metrics/history`;
      subjects.push({ kind: 'vault', address: vault.address, path });
    }
  }
  return subjects;
}
