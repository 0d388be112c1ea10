/** The parts of an OpenAPI 3.1 schema (JSON Schema 2020-12) that this document uses. */
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

/** Returns the component name of a reference. */
export function nameIn({ $ref }: JsonSchema): string | undefined {
  return $ref?.startsWith(prefix) === true ? $ref.slice(prefix.length) : undefined;
}

/** Returns the schema after `change` was applied to each schema in it, the innermost first. */
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

/** Returns the components that a part of a document refers to, directly or through other components. */
export function namedIn(part: unknown, components: Schemas): Schemas {
  const names = new Set<string>();
  const visit = (text: string): void => {
    for (const [, name = ""] of text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      visit(JSON.stringify(components[name] ?? {}));
    }
  };
  visit(JSON.stringify(part));
  return Object.fromEntries(Object.entries(components).filter(([name]) => names.has(name)));
}
