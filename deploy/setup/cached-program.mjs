import { readFile, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./step.mjs";

const writer = fileURLToPath(new URL("write-code-cache.mjs", import.meta.url));

/** As esbuild writes them, each on lines of its own. */
const importLine = /^import (?:([\w$]+)(?:, )?)?(?:\* as ([\w$]+)|\{([^}]*)\})?(?: from )?"([^"]+)";$/gm;
const exportLines = /^export \{([^}]*)\};$/m;

/**
 * Takes the text of a program, one ES module, apart: into a function that gets what the module imports and returns what it exports, and a module that calls it. Node takes a
 * cache of compiled code for such a text, and for no module. Lines stay where they are, so the program's source map holds. Pure.
 */
export function asCachedProgram(text, name) {
  const modules = [];
  const names = [];
  let body = text.replaceAll(importLine, (line, whole, space, some, module) => {
    if (!modules.includes(module)) modules.push(module);
    const from = `$imports[${modules.indexOf(module)}]`;
    if (whole !== undefined) names.push(`{ default: ${whole} } = ${from}`);
    if (space !== undefined) names.push(`${space} = ${from}`);
    if (some?.trim()) names.push(`{ ${some.trim().replaceAll(" as ", ": ")} } = ${from}`);
    return lineEnds(line);
  });
  const exported = (exportLines.exec(body)?.[1] ?? "").split(",").flatMap((entry) => {
    const [local, name = local] = entry.trim().split(" as ");
    return local === "" ? [] : [[local, name]];
  });
  body = body
    .replace(exportLines, lineEnds)
    .replaceAll("import.meta.url", "$url")
    // What comes from a cache has nobody to ask for other modules.
    .replaceAll(/(?<![\w$.])import\((?="[^"]+"\))/g, "$import(")
    .replace(/^\/\/# sourceMappingURL=.*$/m, "");
  // Comments have types that are imported from 'a file'.
  const left = /^(?:import|export)\b.*|(?:await|[=([,:?]) *import\((?!').*/m.exec(body);
  if (left) throw new Error(`no name is known for ${left[0]}`);
  return {
    // In ASCII a character is a byte, also in memory. What is not stands in comments, strings and patterns.
    program: `(async function ($imports, $import, $url) { "use strict"; const ${names.join(", ")}; ${body}
return { ${exported.map(([local, name]) => `${name}: ${local}`).join(", ")} };
})`.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    loader: `import { readFileSync as $read } from "node:fs";
import { fileURLToPath as $pathOf } from "node:url";
import { Script as $Script } from "node:vm";
${modules.map((module, i) => `import * as $${i} from ${JSON.stringify(module)};`).join("\n")}
const $program = new URL(${JSON.stringify(name)}, import.meta.url);
const $path = $pathOf($program);
// In functions, so that nothing holds the cache when V8 has read it.
const $load = () => new $Script($read($path, "latin1"), { filename: $program.href, cachedData: $cache() }).runInThisContext();
const $cache = () => {
  try {
    return $read(\`\${$path}.cache\`);
  } catch {
    return undefined; // It is compiled as it runs.
  }
};
// Node looks for a source map where code is made of text that says where it comes from; of a script it does not.
new Function(\`//# sourceURL=\${$program.href}\\n//# sourceMappingURL=\${$path}.map\`);
const $imports = [${modules.map((_, i) => `$${i}`).join(", ")}];
${exported.length > 0 ? "const $exports = " : ""}await $load()($imports, (module) => import(module), $program.href);
${exported.map(([, name]) => `export const ${name} = $exports.${name};`).join("\n")}
`,
  };
}

function lineEnds(text) {
  return text.replaceAll(/[^\n]/g, "");
}

/** The file with the text of what `main.js` runs. */
export function programOf(file) {
  return file.replace(/\.js$/, ".program.js");
}

/** Of a program that esbuild has just written: `main.js` is what loads it. */
export async function splitProgram(file) {
  const path = programOf(file);
  const { program, loader } = asCachedProgram(await readFile(path, "utf8"), basename(path));
  // What the compiler made of the main file is in the program now, as is its map.
  await Promise.all([writeFile(path, program), writeFile(file, loader), rm(`${file}.map`)]);
}

/** Beside the program, whose stacks will name `home`. A process with other arguments of V8's, or another Node, compiles what it runs, as it would without. */
export async function writeCodeCache(file, home, args) {
  await run(process.execPath, [...args, writer, file, home]);
}
