import { countText } from "../../ui/count-text.js";

/** A group of numbers of a tenant, as the API names them and people read them. */
export interface NumberForm<Name extends string> {
  readonly field: string;
  readonly names: readonly Name[];
  readonly labels: Readonly<Record<Name, string>>;
  /** Units after a number, singular and plural. */
  readonly units: Readonly<Record<Name, readonly [one: string, many: string]>>;
  /** Text for an empty field. */
  readonly absent: string;
}

/** Field names as in the API's error messages. */
export function faultNames({ field, names }: NumberForm<string>): string[] {
  return names.map((name) => `${field}.${name}`);
}

/** Returns the numbers that are set, with their units; empty if none is. Pure. */
export function numbersText<Name extends string>(
  { names, units }: NumberForm<Name>,
  numbers: Readonly<Record<Name, number | null>>,
): string {
  return names
    .flatMap((name) => {
      const number = numbers[name];
      return number === null ? [] : [countText(number, units[name])];
    })
    .join(" · ");
}

/** Texts of the number fields; an empty one means `null`. */
export type NumberTexts<Name extends string> = Readonly<Record<Name, string>>;

export function numberTexts<Name extends string>(
  names: readonly Name[],
  numbers: Readonly<Record<Name, number | null>>,
): NumberTexts<Name> {
  return Object.fromEntries(names.map((name) => [name, numbers[name]?.toString() ?? ""])) as NumberTexts<Name>;
}

/** Returns the changed fields. A text that is not a number goes to the API unchanged, which explains the error. Pure. */
export function numberChange<Name extends string>(
  names: readonly Name[],
  before: NumberTexts<Name>,
  now: NumberTexts<Name>,
): Partial<Record<Name, number | string | null>> {
  const changed = names.filter((name) => before[name].trim() !== now[name].trim());
  return Object.fromEntries(changed.map((name) => [name, numberOf(now[name].trim())])) as Partial<Record<Name, number | string | null>>;
}

function numberOf(text: string): number | string | null {
  if (text === "") return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}
