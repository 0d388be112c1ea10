import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * System tests start first because they mostly wait. A project whose files share processes stays together, since each new process costs
 * seconds of CPU.
 */
const projects = ["system", "sandbox", "platform", "conformance", "contract", "process", "unit"];

/**
 * Orders the projects. Within a project vitest decides: failed files first, then the slowest by its cache, or the largest without a cache.
 */
export class SystemFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => projects.indexOf(a.project.name) - projects.indexOf(b.project.name));
  }
}
