import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Plugin } from "vitest/config";

/**
 * Loads sources that use typia in the form that the build compiled: their types are in other files, and generating validators takes
 * seconds of CPU per file. `npm test` builds changed sources before vitest starts.
 */
export function compiledValidators(root: string): Plugin {
  return {
    name: "compiled-validators",
    enforce: "pre",
    // Their code comes from another file, which vitest ignores when it checks whether a cached module is stale.
    configureVitest({ experimental_defineCacheKeyGenerator }) {
      experimental_defineCacheKeyGenerator(({ sourceCode }) => (makesValidators(sourceCode) ? false : undefined));
    },
    async load(id) {
      const file = id.split("?")[0] ?? "";
      const path = relative(root, file);
      if (!path.endsWith(".ts") || path.startsWith("..") || path.startsWith("node_modules")) return undefined;
      if (!makesValidators(await readFile(file, "utf8"))) return undefined;
      const compiled = join(root, "dist", path.replace(/\.ts$/, ".js"));
      const [code, map] = await Promise.all([readFile(compiled, "utf8"), readFile(`${compiled}.map`, "utf8")]);
      return {
        code: code.replace(/^\/\/# sourceMappingURL=.*$/m, ""),
        map: { ...(JSON.parse(map) as { mappings: string }), sources: [file] },
      };
    },
  };
}

function makesValidators(source: string): boolean {
  return / from "typia"/.test(source);
}
