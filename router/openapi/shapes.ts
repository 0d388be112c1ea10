import { eachSchema, nameIn, refTo, type JsonSchema, type Schemas } from "./json-schema.js";

/** The output of typia for a list of types. */
export interface GeneratedSchemas {
  readonly components: { readonly schemas?: object };
  readonly schemas: readonly object[];
}

/** Schemas of one API: replies, bodies and parameters by call name, and the components that they refer to. */
export interface Shapes {
  readonly replies: Schemas;
  readonly bodies: Schemas;
  readonly parameters: Schemas;
  readonly components: Schemas;
}

/** Returns the schemas of an API's three types, in this order. Each type has a property for each call that applies. */
export function shapesOf({ components, schemas: [replies, bodies, parameters] }: GeneratedSchemas): Shapes {
  const given = (components.schemas ?? {}) as Schemas;
  const tidy = Object.fromEntries(Object.entries(given).map(([name, schema]) => [name, tidied(schema)]));
  const helpers = new Set(Object.keys(tidy).filter(isHelper));
  const inlined = (schema: JsonSchema): JsonSchema =>
    eachSchema(schema, (one) => {
      const name = nameIn(one);
      const { $ref: _, ...rest } = one;
      return name !== undefined && helpers.has(name) ? inlined({ ...tidy[name], ...rest }) : one;
    });
  const fields = (root: object | undefined): Schemas => {
    const schema = root as JsonSchema | undefined;
    const name = schema === undefined ? undefined : nameIn(schema);
    const object = name === undefined ? schema : tidy[name];
    return Object.fromEntries(Object.entries(object?.properties ?? {}).map(([call, one]) => [call, inlined(tidied(one))]));
  };
  const roots = [replies, bodies, parameters].map((root) => nameIn((root ?? {}) as JsonSchema));
  const kept = Object.entries(tidy).filter(([name]) => !helpers.has(name) && !roots.includes(name));
  return {
    replies: fields(replies),
    bodies: fields(bodies),
    parameters: Object.fromEntries(Object.entries(fields(parameters)).map(([call, one]) => [call, tidy[nameIn(one) ?? ""] ?? one])),
    components: Object.fromEntries(kept.map(([name, schema]) => [name, inlined(schema)])),
  };
}

/** Types of the standard library and generic types, whose names must not appear in the document. */
const isHelper = (name: string): boolean => /^(Record|Partial|Required|Omit|Pick|Exclude|Plain|__type|Event[a-z])|\./.test(name);

/** Returns the schema in a shorter form: `enum` for constant texts, a single `type` for nullable values, and no empty parts. */
export function tidied(schema: JsonSchema): JsonSchema {
  return eachSchema(schema, (one) => {
    const { required, description = "", example: _, oneOf, discriminator, ...rest } = one;
    const described = /^(Construct a type|Make all properties|From T, pick|Exclude from)/.test(description) ? {} : { description };
    return {
      ...(description === "" ? {} : described),
      ...rest,
      ...(required === undefined || required.length === 0 ? {} : { required }),
      ...(oneOf === undefined ? {} : choice(oneOf, discriminator)),
    };
  });
}

function choice(oneOf: readonly JsonSchema[], discriminator: JsonSchema["discriminator"]): JsonSchema {
  const consts = oneOf.flatMap((one) => ("const" in one ? [one.const] : []));
  if (consts.length === oneOf.length && consts.every((value) => typeof value === "string")) return { type: "string", enum: consts };
  const [other, ...others] = oneOf.filter(({ type }) => type !== "null");
  const isNullable = oneOf.length === 2 && others.length === 0 && other !== undefined;
  if (isNullable && typeof other.type === "string") return { ...other, type: [other.type, "null"] };
  return { oneOf, ...(discriminator === undefined ? {} : { discriminator }) };
}

/** One part of the document. The prefix renames its types when another part uses the same name for a different type. */
export interface NamedShapes {
  readonly prefix: string;
  readonly shapes: Shapes;
}

/** Merges the parts into one set of types. A name with two meanings gets the prefix of its part. */
export function joined(parts: readonly NamedShapes[]): { shapes: Shapes[]; components: Schemas } {
  const ambiguous = ambiguousNames(parts.map(({ shapes }) => shapes.components));
  const components: Record<string, JsonSchema> = {};
  const shapes = parts.map(({ prefix, shapes: part }): Shapes => {
    const nameOf = (name: string): string => (ambiguous.has(name) ? `${prefix}${name}` : name);
    const all = (schemas: Schemas): Schemas => Object.fromEntries(Object.entries(schemas).map(([key, one]) => [key, renamed(one, nameOf)]));
    for (const [name, one] of Object.entries(part.components)) components[nameOf(name)] = renamed(one, nameOf);
    return { replies: all(part.replies), bodies: all(part.bodies), parameters: all(part.parameters), components: {} };
  });
  return { shapes, components };
}

/** A type that refers to an ambiguous name is ambiguous as well. */
function ambiguousNames(parts: readonly Schemas[]): ReadonlySet<string> {
  const meanings = new Map<string, Set<string>>();
  for (const part of parts)
    for (const [name, schema] of Object.entries(part)) meanings.set(name, (meanings.get(name) ?? new Set()).add(JSON.stringify(schema)));
  const ambiguous = new Set([...meanings].flatMap(([name, texts]) => (texts.size > 1 ? [name] : [])));
  for (const part of [...parts, ...parts]) {
    for (const [name, schema] of Object.entries(part)) {
      const names = referencesIn(schema);
      if (names.some((one) => ambiguous.has(one))) ambiguous.add(name);
    }
  }
  return ambiguous;
}

function referencesIn(schema: JsonSchema): string[] {
  const names: string[] = [];
  eachSchema(schema, (one) => {
    const name = nameIn(one);
    if (name !== undefined) names.push(name);
    return one;
  });
  return names;
}

function renamed(schema: JsonSchema, nameOf: (name: string) => string): JsonSchema {
  return eachSchema(schema, (one) => {
    const name = nameIn(one);
    const { discriminator } = one;
    return {
      ...one,
      ...(name === undefined ? {} : refTo(nameOf(name))),
      ...(discriminator === undefined
        ? {}
        : { discriminator: { ...discriminator, mapping: renamedMapping(discriminator.mapping ?? {}, nameOf) } }),
    };
  });
}

function renamedMapping(mapping: Readonly<Record<string, string>>, nameOf: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(mapping).map(([value, $ref]) => [value, refTo(nameOf(nameIn({ $ref }) ?? $ref)).$ref ?? $ref]));
}
