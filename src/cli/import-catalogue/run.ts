import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parseCatalogue, readCatalogue } from '../../config/catalogue/catalogue.ts';
import type { CatalogueInput } from '../../config/catalogue/format.ts';
import { mainnetCatalogue } from '../../config/catalogue/mainnet-catalogue.ts';
import { Source } from '../deployment/source.ts';
import type { ImportCatalogueCommand } from './arguments.ts';
import { mergeCatalogue } from './merge-catalogue.ts';
import { ImportFailure, readFacts } from './read-facts.ts';

const BACKOFF_BASE_MS = 500;

/**
 * Imports the markets and tokens of another deployment into a catalogue file. Resolves to whether it succeeded; after a
 * failure the file is as it was.
 * @throws SluiceError CATALOGUE_INVALID when the present file, or what the deployment says, is not a valid catalogue
 */
export async function runImportCatalogue(
  { from, out, segment, requestsPerSecond, dryRun }: ImportCatalogueCommand,
  print: (line: string) => void,
  stopped: AbortSignal,
  backoffBaseMs: number = BACKOFF_BASE_MS,
): Promise<boolean> {
  const text = await presentText(out);
  const before = text === null ? mainnetCatalogue() : await readCatalogue(out);
  const file = text === null ? null : (JSON.parse(text) as CatalogueInput);
  const source = new Source({ url: from, requestsPerSecond, signal: stopped, backoffBaseMs });
  try {
    const facts = await readFacts(source, segment);
    const { content, differences } = mergeCatalogue(file, before, facts);
    parseCatalogue(content, source.name);
    for (const line of differences) print(line);
    for (const line of facts.skipped) print(`left out: ${line}`);
    const counts = `${facts.markets.length} markets and ${facts.tokens.length} tokens of ${source.name}`;
    if (dryRun) {
      print(`${counts}, ${differences.length} differences. Nothing was written.`);
      return true;
    }
    await replaceFile(out, `${JSON.stringify(content, null, 2)}\n`);
    print(`${counts}, ${differences.length} differences, in ${out}`);
    return true;
  } catch (error) {
    if (!(error instanceof ImportFailure)) throw error;
    print(`nothing imported: ${error.message}`);
    return false;
  }
}

/** Null when there is no file. */
async function presentText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** A reader sees the old file or the new one, whole. */
async function replaceFile(path: string, text: string): Promise<void> {
  const target = resolve(path);
  const folder = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    const unfinished = join(folder, basename(target));
    await writeFile(unfinished, text);
    await rename(unfinished, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
