import { nameIn, type JsonSchema, type Schemas } from "./json-schema.js";

/** A value of a schema, taken from the example of a whole call. */
export interface Sample {
  readonly schema: JsonSchema;
  readonly value: unknown;
}

/** Returns the components with an example for each field. The example comes from the first whole call that has a non-empty value. */
export function illustrated(components: Schemas, samples: readonly Sample[]): Schemas {
  const found = new Map<string, unknown>();
  for (const { schema, value } of samples) collect(components, schema, value, found, "");
  for (const [name, { properties = {} }] of Object.entries(components)) {
    for (const [field, { description = "" }] of Object.entries(properties)) {
      const value = found.get(`${name}.${field}`);
      if (value !== undefined && !found.has(`${field} ${description}`)) found.set(`${field} ${description}`, value);
    }
  }
  return Object.fromEntries(Object.entries(components).map(([name, schema]) => [name, withExamples(schema, name, found)]));
}

function collect(components: Schemas, schema: JsonSchema, value: unknown, found: Map<string, unknown>, owner: string): void {
  const name = nameIn(schema);
  const target = name === undefined ? schema : components[name];
  if (target === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(components, target.items ?? {}, item, found, owner);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const one of target.oneOf ?? []) if (fits(components, one, value)) collect(components, one, value, found, owner);
  const own = name ?? owner;
  for (const [field, inner] of Object.entries(target.properties ?? {})) {
    const given = (value as Readonly<Record<string, unknown>>)[field];
    if (given === undefined) continue;
    const key = `${own}.${field}`;
    if (typeof given !== "object" && (!found.has(key) || found.get(key) === "")) found.set(key, given);
    collect(components, inner, given, found, key);
  }
}

/** Returns true if the value fits this alternative, judged by its constant texts. */
function fits(components: Schemas, schema: JsonSchema, value: object): boolean {
  const { properties = {}, required = [] } = components[nameIn(schema) ?? ""] ?? schema;
  const fields = value as Readonly<Record<string, unknown>>;
  return (
    required.every((name) => name in value) &&
    Object.entries(properties).every(([name, one]) => !("const" in one) || fields[name] === one.const)
  );
}

function withExamples(schema: JsonSchema, owner: string, found: ReadonlyMap<string, unknown>): JsonSchema {
  const { properties } = schema;
  if (properties === undefined) return schema;
  const fields = Object.entries(properties).map(([name, one]): [string, JsonSchema] => {
    const key = `${owner}.${name}`;
    // A field that several types share has one meaning, so an example of one type serves all.
    const example = found.get(key) ?? found.get(`${name} ${one.description ?? ""}`);
    return [name, { ...withExamples(one, key, found), ...(example === undefined ? {} : { examples: [example] }) }];
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}
