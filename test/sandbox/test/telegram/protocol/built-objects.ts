/** Generated objects of the schema, as test data for readers and writers. */
import { randomBytes } from "node:crypto";
import bigInt from "big-integer";
import { Api } from "telegram";
import { tlobjects } from "telegram/tl/AllTLObjects.js";
import apiSchema from "telegram/tl/apiTl.js";
import { parseTl } from "telegram/tl/generationHelpers.js";
import type { TlObject } from "../../../telegram/protocol/messages/tl-reader.js";

interface SchemaLine {
  readonly constructorId: number;
  readonly result: string;
  readonly isFunction: boolean;
  readonly argsConfig: Readonly<Record<string, { isVector: boolean; isFlag: boolean; flagIndicator: boolean; type: string | null }>>;
}

export const lines: SchemaLine[] = [...parseTl(apiSchema, "198")];
const byResult = new Map<string, SchemaLine>();
// The constructor with the fewest required objects represents its type, so that the recursion ends.
const needs = (line: SchemaLine) =>
  Object.values(line.argsConfig).filter(
    ({ isVector, isFlag, type }) => !isVector && !isFlag && /^([a-z]+\.)?[A-Z]/.test(type ?? "") && type !== "Bool",
  ).length;
for (const line of lines) {
  const known = byResult.get(line.result);
  if (!line.isFunction && (!known || needs(known) > needs(line))) byResult.set(line.result, line);
}

/** Returns an object of this line with all optional fields set, or none. */
export function build(line: SchemaLine, withFlags: boolean, inner = false): TlObject {
  const args: Record<string, unknown> = {};
  for (const [name, argument] of Object.entries(line.argsConfig)) {
    if (argument.flagIndicator || (argument.isFlag && !withFlags)) continue;
    const items = argument.isVector && !inner ? [value(argument.type, withFlags), value(argument.type, withFlags)] : [];
    args[name] = argument.isVector ? items : value(argument.type, withFlags);
  }
  return new (tlobjects[line.constructorId] as new (args: object) => TlObject)(args);
}

export function lineOf(id: number): SchemaLine {
  const line = lines.find(({ constructorId }) => constructorId === id);
  if (!line) throw new Error(`no constructor ${id}`);
  return line;
}

function value(type: string | null, withFlags: boolean): unknown {
  switch (type) {
    case "int":
      return -7;
    case "long":
      return bigInt(randomBytes(8).readBigInt64LE(0));
    case "int128":
      return bigInt(-5);
    case "int256":
      return bigInt(2).pow(200);
    case "double":
      return 1.5;
    case "string":
      return "grüße ".repeat(withFlags ? 60 : 1);
    case "bytes":
      return randomBytes(7);
    case "Bool":
    case "true":
      return true;
    case "X":
      return new Api.help.GetConfig();
    default: {
      const line = byResult.get(type ?? "");
      if (!line) throw new Error(`no constructor of ${type}`);
      return build(line, false, true);
    }
  }
}
