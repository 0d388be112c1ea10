import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Plugin } from "vitest/config";

/**
 * Sources that make validators with typia are run as the build compiled them: their types lie in other files, and to generate them from the source costs seconds of
 * CPU for each file. `npm test` builds what changed before vitest starts.
 */
export function compiledValidators(root: string): Plugin {
  return {
    name: "compiled-validators",
    enforce: "pre",
    // Their code comes from another file, which vitest does not look at when it asks whether a module has changed since the last run.
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
