import openApiTypes, { astToString } from "openapi-typescript";
import { format } from "prettier";

/** Returns the API document as formatted TypeScript types. `options` are the formatter's. */
export async function clientTypes(document, options) {
  const types = astToString(await openApiTypes(document, { alphabetize: true }));
  return await format(`// Made of the API's document by \`npm run client\`.\n${types}`, { ...options, parser: "typescript" });
}
