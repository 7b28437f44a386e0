import { readdirSync } from 'node:fs';
import type { Json } from '../normalise.ts';
import { writeVectors } from '../vector-file.ts';

/** A module of this folder that makes a file of vectors of its own name. */
interface SequenceModule {
  readonly base?: () => Json;
  readonly sequences?: () => Promise<Json[]>;
}

/** Writes what the SDK's own builders return for whole actions; see README.md beside this file. */
export async function writeSequenceVectors(): Promise<void> {
  const modules = readdirSync(import.meta.dirname).filter(
    (file) => file.endsWith('.ts') && file !== 'index.ts',
  );
  for (const file of modules.sort()) {
    const { base, sequences }: SequenceModule = await import(`./${file}`);
    if (sequences === undefined) continue;
    writeVectors(
      `sequences-${file.replace('.ts', '.json')}`,
      base ? { accounts: base() } : {},
      await sequences(),
    );
  }
}
