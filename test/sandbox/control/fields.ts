import { ControlError } from "./control-error.js";

/** Reads the fields of a JSON body or a query. Each invalid field has its own error message. */
export class Fields {
  constructor(private readonly values: Readonly<Record<string, unknown>>) {}

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined || value === "") throw new ControlError(400, `${name} should not be empty`);
    return value;
  }

  /** Accepts numbers in their decimal form, because ids arrive as numbers and as strings. */
  optionalText(name: string): string | undefined {
    const value = this.values[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === "number") return String(value);
    if (typeof value !== "string") throw new ControlError(400, `${name} must be a string`);
    return value;
  }

  optionalNumber(name: string): number | undefined {
    const value = this.values[name];
    if (value === undefined || value === null) return undefined;
    const number = typeof value === "string" && value !== "" ? Number(value) : value;
    if (typeof number !== "number" || !Number.isFinite(number) || number < 0)
      throw new ControlError(400, `${name} must be a number that is not negative`);
    return number;
  }

  optionalCount(name: string): number | undefined {
    const value = this.optionalNumber(name);
    if (value !== undefined && !Number.isInteger(value)) throw new ControlError(400, `${name} must be an integer`);
    return value;
  }

  flag(name: string): boolean {
    return this.optionalFlag(name) ?? false;
  }

  optionalFlag(name: string): boolean | undefined {
    const value = this.values[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "boolean") throw new ControlError(400, `${name} must be a boolean`);
    return value;
  }

  object(name: string): Readonly<Record<string, unknown>> {
    const value = this.values[name];
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new ControlError(400, `${name} must be an object`);
    return Object.fromEntries(Object.entries(value));
  }

  /** Returns a list of objects; empty when the field is missing. */
  objects(name: string): Readonly<Record<string, unknown>>[] {
    const value = this.values[name];
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw new ControlError(400, `${name} must be an array`);
    return value.map((each: unknown) => {
      if (typeof each !== "object" || each === null) throw new ControlError(400, `each value in ${name} must be an object`);
      return Object.fromEntries(Object.entries(each));
    });
  }

  /** Accepts one id or a list of ids. */
  ids(name: string): number[] {
    const value = this.values[name];
    const list: unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
    return list.map((each) => {
      const id = Number(each);
      if (!Number.isSafeInteger(id) || id <= 0) throw new ControlError(400, `${name} must be a message id`);
      return id;
    });
  }

  /** Accepts one text or a list of texts, and numbers as in `text`. */
  texts(name: string): string[] {
    const value = this.values[name];
    const list: unknown[] = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
    return list.map((each) => {
      if (typeof each !== "string" && typeof each !== "number") throw new ControlError(400, `each value in ${name} must be a string`);
      return String(each);
    });
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T {
    const found = allowed.find((each) => each === this.values[name]);
    if (found === undefined) throw new ControlError(400, `${name} must be one of the following values: ${allowed.join(", ")}`);
    return found;
  }
}
