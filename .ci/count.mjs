import { existsSync, readFileSync } from "node:fs";

// vitest's JSON report -> "Tests: N passed, N failed". A file that could not even be loaded counts as one failure, and so does a run without a report.
const [file] = process.argv.slice(2);
const report = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { numPassedTests: 0, numFailedTests: 1, testResults: [] };
const unloadable = report.testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed")).length;
console.log(`Tests: ${report.numPassedTests} passed, ${report.numFailedTests + unloadable} failed`);
