import { createRequire } from "node:module";

const parser = "/node_modules/telegram/tl/generationHelpers.js";
const exported = "exports.parseTl = parseTl;";
const schemas = ["apiTl.js", "schemaTl.js"];

/**
 * GramJS parses Telegram's schema from its text in every process that starts, and the sandbox does so once more for itself: a tenth of a second each time. In a program, its
 * parser knows what it makes of the library's own schemas; all other texts it parses. Of another module, or another parser, the text is left as it is.
 */
export function withParsedSchemas(path, text) {
  if (!path.endsWith(parser) || !text.includes(exported)) return text;
  const require = createRequire(path);
  const { parseTl } = require("./generationHelpers.js");
  const parsed = schemas.map((name) => {
    const packed = JSON.stringify(packDefinitions([...parseTl(require(`./${name}`))]));
    return `[require("./${name}"), ${JSON.stringify(packed)}]`;
  });
  return text.replace(
    exported,
    () => `const $packedSchemas = new Map([${parsed.join(", ")}]);
${unpackDefinitions.toString()}
exports.parseTl = function* (content, ...rest) {
  const packed = rest.length < 2 ? $packedSchemas.get(content) : undefined;
  yield* packed === undefined ? parseTl(content, ...rest) : unpackDefinitions(JSON.parse(packed));
};`,
  );
}

/** Eight thousand arguments are of 765 kinds. */
export function packDefinitions(definitions) {
  const kinds = new Map();
  const kindOf = (config) => {
    const text = JSON.stringify(config);
    if (!kinds.has(text)) kinds.set(text, kinds.size);
    return kinds.get(text);
  };
  const lines = definitions.map(({ name, constructorId, argsConfig, subclassOfId, result, isFunction, namespace }) => {
    const args = Object.entries(argsConfig).flatMap(([argument, config]) => [argument, kindOf(config)]);
    return [name, constructorId, subclassOfId, result, isFunction, namespace ?? null, args];
  });
  return { kinds: [...kinds.keys()].map((text) => JSON.parse(text)), lines };
}

/** As the parser has them: each with arguments of its own, which readers write to. Its text becomes part of the programs, so it uses nothing from around it. */
export function* unpackDefinitions({ kinds, lines }) {
  for (const [name, constructorId, subclassOfId, result, isFunction, namespace, args] of lines) {
    const argsConfig = {};
    for (let i = 0; i < args.length; i += 2) argsConfig[args[i]] = { ...kinds[args[i + 1]] };
    yield { name, constructorId, argsConfig, subclassOfId, result, isFunction, namespace: namespace ?? undefined };
  }
}
