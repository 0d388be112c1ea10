import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonSchema } from "../../router/openapi/json-schema.js";
import type { OpenApiDocument } from "../../router/openapi/document-types.js";

/** Returns a function that lists the errors of a value by a schema of the document; empty if it is valid. */
export function schemaChecker({ components }: Pick<OpenApiDocument, "components">): (schema: JsonSchema, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>();
  return (schema, value) => {
    const key = JSON.stringify(schema);
    const validate = compiled.get(key) ?? ajv.compile({ ...schema, components: { schemas: components.schemas } });
    compiled.set(key, validate);
    const fits = validate(value) === true;
    return (fits ? [] : (validate.errors ?? [])).map(({ instancePath, message = "" }: ErrorObject) => `${instancePath} ${message}`);
  };
}
