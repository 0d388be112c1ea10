import { writeFileSync } from "node:fs";

/** Of what one test or file printed: enough to see what it was at. */
const printedChars = 4_000;

/** A reporter of vitest: leaves each file's counts, and what failed with what it printed, as JSON at `--outputFile.report=<path>`. */
export default class RunReport {
  #path = "";
  /** By test or file, the last that it printed. */
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
    // A file that does not load, and a `beforeAll` that fails, have no failed test of their own.
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

/** An error as a person reads it, with the causes behind it. */
function textOf({ name, message, diff, stacks, cause }) {
  const place = stacks?.find(({ file }) => file.includes("/test/"));
  return [
    `${name ?? "Error"}: ${message}`,
    ...(place === undefined ? [] : [`at ${place.file}:${place.line}:${place.column}`]),
    ...(diff === undefined ? [] : [diff]),
    ...(cause?.message === undefined ? [] : [`caused by ${textOf(cause)}`]),
  ].join("\n");
}
