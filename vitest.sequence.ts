import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Runs the test files that want a document one after the other, and then those that want none: a process is used for
 * the next file only where that wants the same environment.
 */
export class EnvironmentSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const keys = new Map<TestSpecification, string>();
    for (const file of sorted) {
      const { name, config } = file.project;
      // Projects keep the order that they have.
      const project = sorted.findIndex((other) => other.project.name === name);
      const wantsDocument =
        config.environment !== 'node' ||
        readFileSync(file.moduleId, 'utf8').startsWith('// @vitest-environment');
      keys.set(file, `${String(project).padStart(6, '0')} ${wantsDocument ? 0 : 1}`);
    }
    const keyOf = (file: TestSpecification) => keys.get(file) ?? '';
    return sorted.sort((one, other) =>
      keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : 0,
    );
  }
}
