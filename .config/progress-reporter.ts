import { DefaultReporter, type TestCase, type TestModule, type TestSpecification, type TestSuite } from "vitest/node";

const slowest = 10;

/**
 * Default reporter that also prints the progress before each file and, at the end, the slowest files. Failures are printed when their file
 * ends.
 */
export default class ProgressReporter extends DefaultReporter {
  private files = 0;
  private ended = 0;
  private startedAt = 0;

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    [this.files, this.ended, this.startedAt] = [specifications.length, 0, performance.now()];
    super.onTestRunStart(specifications);
  }

  override onTestModuleEnd(file: TestModule): void {
    this.ended += 1;
    super.onTestModuleEnd(file);
  }

  protected override getEntityPrefix(entity: TestCase | TestModule | TestSuite): string {
    const place = `${this.ended}`.padStart(`${this.files}`.length);
    return `${place}/${this.files} ${clock(performance.now() - this.startedAt)} ${super.getEntityPrefix(entity)}`;
  }

  override onTestRunEnd(...run: Parameters<DefaultReporter["onTestRunEnd"]>): void {
    const [files] = run;
    const lasting = files.map((file) => ({ name: file.relativeModuleId, ms: file.diagnostic().duration }));
    lasting.sort((a, b) => b.ms - a.ms);
    if (lasting.length > slowest) {
      this.log(`\n The ${slowest} files that lasted longest:`);
      for (const { name, ms } of lasting.slice(0, slowest)) this.log(` ${clock(ms)} ${name}`);
    }
    // Only with TEST_CPU (`cpu-of-files.ts`).
    const using = files.map((file) => ({ name: file.relativeModuleId, seconds: file.meta().cpuSeconds ?? 0 }));
    using.sort((a, b) => b.seconds - a.seconds);
    const sum = using.reduce((sum, { seconds }) => sum + seconds, 0);
    if (sum > 0) {
      this.log(`\n ${sum.toFixed(0)} s of CPU, most of it by:`);
      for (const { name, seconds } of using.slice(0, 3 * slowest)) this.log(` ${seconds.toFixed(1).padStart(5)} ${name}`);
    }
    super.onTestRunEnd(...run);
  }
}

/** Formats milliseconds as minutes and seconds. */
function clock(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`.padStart(5);
}
