import { mostAgain, readRun } from "./test-runs.mjs";

// `failed-files.mjs <folder> <run>=<script>...` prints a line per failed file: name of its second run, script, file. Prints nothing if
// more files failed than the limit.
const [folder, ...runs] = process.argv.slice(2);
const lines = runs.flatMap((argument) => {
  const [name, script] = argument.split("=");
  return readRun(folder, name)
    .files.filter(({ failed }) => failed > 0)
    .map(({ file }, at) => `${name}-again-${at + 1} ${script} ${file}`);
});
if (lines.length <= mostAgain) for (const line of lines) console.log(line);
