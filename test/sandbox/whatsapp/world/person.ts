import { firstNames, lastNames } from "../../person-names.js";
import type { User } from "../whatsapp-backend.js";

/** Each account owns this many numbers for the contacts of its address book; an account's index picks the block. */
export const contactsPerAccount = 10_000;
export const memberPopulation = 1_000_000;

/** Numbers with this prefix have no account behind them. */
const nobody = /^999/;
const phoneForm = /^[1-9]\d{6,14}$/;
const lidForm = /^1\d{15}$/;
/** LIDs are phone numbers in another order: nothing is stored, and none can be guessed from the other by looking. */
const modulus = 10n ** 15n;
const factor = 918_273_645_463_729n;
const offset = 271_828_182_845_905n;
const inverse = inverseOf(factor, modulus);

/** Anybody with a plausible number; `undefined` when nobody on the platform has it. */
export function personByPhone(phone: string): User | undefined {
  if (!phoneForm.test(phone) || nobody.test(phone)) return undefined;
  return { phone, lid: `1${String((BigInt(phone) * factor + offset) % modulus).padStart(15, "0")}` };
}

export function personByLid(lid: string): User | undefined {
  if (!lidForm.test(lid)) return undefined;
  return personByPhone(String(((BigInt(lid.slice(1)) - offset + modulus) * inverse) % modulus));
}

/** As `personByPhone`, of a number that the sandbox itself gave out. */
export function personOf(phone: string): User {
  const person = personByPhone(phone);
  if (person === undefined) throw new RangeError(`no person has the number ${phone}`);
  return person;
}

/** The `n`-th contact of the account with that index: computed, never stored. */
export function contactPerson(accountIndex: number, n: number): User {
  return personOf(`49151${String(accountIndex * contactsPerAccount + n).padStart(9, "0")}`);
}

/** The `n`-th of the people who fill the groups. */
export function memberPerson(n: number): User {
  return personOf(`4479${String(n % memberPopulation).padStart(8, "0")}`);
}

/** What people call themselves, or are called in an address book. */
export function nameOf({ phone }: Pick<User, "phone">): string {
  const n = Number(phone.slice(-9));
  return `${firstNames[n % firstNames.length] ?? ""} ${lastNames[(n * 7) % lastNames.length] ?? ""}`.trim();
}

function inverseOf(value: bigint, base: bigint): bigint {
  let [a, b, x, y] = [value % base, base, 1n, 0n];
  while (a > 1n) {
    const quotient = a / b;
    [a, b] = [b, a % b];
    [x, y] = [y, x - quotient * y];
  }
  return ((x % base) + base) % base;
}
