import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Enough for the other workers while one records. */
const FILES_MEANWHILE = 24;

const copiesTemplate = ({ moduleId }: TestSpecification) =>
  readFileSync(moduleId, 'utf8').includes('startRecordedWorld(');

/**
 * Long files first, as Vitest does. Of those that copy the recorded database one begins, which makes it. The others come some
 * files later, because they would occupy all workers waiting for it.
 */
export default class TemplateOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const [maker, ...copies] = sorted.filter(copiesTemplate);
    if (maker === undefined) return sorted;
    const others = sorted.filter((file) => file !== maker && !copies.includes(file));
    return [maker, ...others.slice(0, FILES_MEANWHILE), ...copies, ...others.slice(FILES_MEANWHILE)];
  }
}
