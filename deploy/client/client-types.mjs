import openApiTypes, { astToString } from "openapi-typescript";
import { format } from "prettier";

/** The API's document as types, formatted as the sources are. `options`: of the formatter. */
export async function clientTypes(document, options) {
  const types = astToString(await openApiTypes(document, { alphabetize: true }));
  return await format(`// Made of the API's document by \`npm run client\`.\n${types}`, { ...options, parser: "typescript" });
}
