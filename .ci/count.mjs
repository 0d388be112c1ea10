import { existsSync, readFileSync } from "node:fs";

// vitest's JSON reports -> "Tests: N passed, N failed". A file that could not even be loaded counts as one failure, and so does a run without a report.
const reports = process.argv
  .slice(2)
  .map((file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { numPassedTests: 0, numFailedTests: 1, testResults: [] }));
const unloadable = ({ testResults }) =>
  testResults.filter(({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"))
    .length;
const sum = (count) => reports.reduce((total, report) => total + count(report), 0);
console.log(
  `Tests: ${sum(({ numPassedTests }) => numPassedTests)} passed, ${sum((report) => report.numFailedTests + unloadable(report))} failed`,
);
