// Reporter that writes the seconds of each test file to the file named by FILE_TIMES, for the summary.
import { writeFileSync } from 'node:fs';

export default class FileTimes {
  onTestRunEnd(modules) {
    const files = modules.map((module) => {
      const { collectDuration, prepareDuration, setupDuration, duration } = module.diagnostic();
      const tests = [...module.children.allTests()].map((test) => test.diagnostic()?.duration ?? 0);
      const inTests = tests.reduce((sum, each) => sum + each, 0);
      return {
        file: module.relativeModuleId,
        imports: (collectDuration + prepareDuration + setupDuration) / 1_000,
        hooks: Math.max(0, duration - inTests) / 1_000,
        tests: inTests / 1_000,
      };
    });
    writeFileSync(process.env.FILE_TIMES, JSON.stringify(files));
  }
}
