/** A schema as OpenAPI 3.1 has it (JSON Schema 2020-12), as far as ours say. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping?: Readonly<Record<string, string>> };
  readonly [keyword: string]: unknown;
}

export type Schemas = Readonly<Record<string, JsonSchema>>;

const prefix = "#/components/schemas/";

export const refTo = (name: string): JsonSchema => ({ $ref: `${prefix}${name}` });

/** The name that a reference names. */
export function nameIn({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(prefix) === true ? $ref.slice(prefix.length) : undefined;
}

/** The schema with `change` made of each schema inside of it, the innermost first. Pure. */
export function eachSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  const inner = (one: JsonSchema): JsonSchema => eachSchema(one, change);
  const all = (several: readonly JsonSchema[]): JsonSchema[] => several.map(inner);
  const { properties, items, oneOf, anyOf, allOf, additionalProperties } = schema;
  return change({
    ...schema,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])) }),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(oneOf === undefined ? {} : { oneOf: all(oneOf) }),
    ...(anyOf === undefined ? {} : { anyOf: all(anyOf) }),
    ...(allOf === undefined ? {} : { allOf: all(allOf) }),
    ...(typeof additionalProperties === "object" ? { additionalProperties: inner(additionalProperties) } : {}),
  });
}

/** The components that the given part of a document names, and those that these name. Pure. */
export function namedIn(part: unknown, components: Schemas): Schemas {
  const names = new Set<string>();
  const look = (text: string): void => {
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      look(JSON.stringify(components[name] ?? {}));
    }
  };
  look(JSON.stringify(part));
  return Object.fromEntries(Object.entries(components).filter(([name]) => names.has(name)));
}
