import { writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import vm from "node:vm";

// `node write-code-cache.mjs <main file of a process> <where its program will be>` keeps what V8 has compiled of the program when it ends, which is at once: with these
// settings none begins its work.
Object.assign(process.env, { PORT: "none", SANDBOX_PORT: "none" });
const [main, home] = process.argv.splice(2);
vm.Script = class extends vm.Script {
  constructor(text, { filename, ...options }) {
    super(text, { ...options, filename: pathToFileURL(home).href });
    process.once("exit", () => {
      writeFileSync(`${fileURLToPath(filename)}.cache`, this.createCachedData());
      // That it was refused its settings is what was wanted.
      process.exitCode = 0;
    });
  }
};
syncBuiltinESMExports();
await import(pathToFileURL(resolve(main)).href);
