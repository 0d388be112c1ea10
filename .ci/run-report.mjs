import { writeFileSync } from "node:fs";

/** Output of one test or file that is kept: enough to see what it was doing. */
const printedChars = 4_000;

/** Reporter of vitest that writes each file's counts, and its failures with their output, as JSON to `--outputFile.report=<path>`. */
export default class RunReport {
  #path = "";
  /** Last output of each test or file. */
  #printed = new Map();

  onInit({ config }) {
    this.#path = config.outputFile.report;
  }

  onUserConsoleLog({ taskId, content }) {
    this.#printed.set(taskId, ((this.#printed.get(taskId) ?? "") + content).slice(-printedChars));
  }

  onTestRunEnd(files, unhandled) {
    const report = { files: files.map((file) => this.#ofFile(file)), unhandled: unhandled.map(textOf) };
    writeFileSync(this.#path, JSON.stringify(report));
  }

  #ofFile(file) {
    const failed = [...file.children.allTests("failed")];
    // A file that does not load, or a failed `beforeAll`, has no failed test of its own.
    const broken = [file, ...file.children.allSuites()].filter((part) => part.errors().length > 0);
    const failures = [
      ...broken.map((part) => this.#failure(part.fullName ?? "the file itself", part.errors(), part.id)),
      ...failed.map((test) => this.#failure(test.fullName, test.result().errors, test.id)),
    ];
    return {
      file: file.relativeModuleId,
      project: file.project.name,
      passed: [...file.children.allTests("passed")].length,
      failed: file.state() === "failed" ? Math.max(1, failed.length) : 0,
      failures,
      printed: this.#printed.get(file.id) ?? "",
    };
  }

  #failure(name, errors, id) {
    return { name, error: errors.map(textOf).join("\n"), printed: this.#printed.get(id) ?? "" };
  }
}

/** Formats an error with its causes for a person. */
function textOf({ name, message, diff, stacks, cause }) {
  const place = stacks?.find(({ file }) => file.includes("/test/"));
  return [
    `${name ?? "Error"}: ${message}`,
    ...(place === undefined ? [] : [`at ${place.file}:${place.line}:${place.column}`]),
    ...(diff === undefined ? [] : [diff]),
    ...(cause?.message === undefined ? [] : [`caused by ${textOf(cause)}`]),
  ].join("\n");
}
