import { firstNames, lastNames } from "../../person-names.js";
import type { User } from "../whatsapp-backend.js";

/** Numbers reserved per account for its contacts. The account's index selects the block. */
export const contactsPerAccount = 10_000;
export const memberPopulation = 1_000_000;

/** Numbers with this prefix have no account. */
const nobody = /^999/;
const phoneForm = /^[1-9]\d{6,14}$/;
const lidForm = /^1\d{15}$/;
/** LIDs are computed from phone numbers modulo 10^15: nothing is stored, and neither number reveals the other at a glance. */
const modulus = 10n ** 15n;
const factor = 918_273_645_463_729n;
const offset = 271_828_182_845_905n;
const inverse = inverseOf(factor, modulus);

/** Returns the user with a plausible number, or `undefined` if the number has no account. */
export function personByPhone(phone: string): User | undefined {
  if (!phoneForm.test(phone) || nobody.test(phone)) return undefined;
  return { phone, lid: `1${String((BigInt(phone) * factor + offset) % modulus).padStart(15, "0")}` };
}

export function personByLid(lid: string): User | undefined {
  if (!lidForm.test(lid)) return undefined;
  return personByPhone(String(((BigInt(lid.slice(1)) - offset + modulus) * inverse) % modulus));
}

/** Like `personByPhone`, for a number that the sandbox assigned. */
export function personOf(phone: string): User {
  const person = personByPhone(phone);
  if (person === undefined) throw new RangeError(`no person has the number ${phone}`);
  return person;
}

/** Returns the `n`-th contact of the account with that index. Contacts are computed, never stored. */
export function contactPerson(accountIndex: number, n: number): User {
  return personOf(`49151${String(accountIndex * contactsPerAccount + n).padStart(9, "0")}`);
}

/** Returns the `n`-th person of the population that fills the groups. */
export function memberPerson(n: number): User {
  return personOf(`4479${String(n % memberPopulation).padStart(8, "0")}`);
}

/** Returns the name of a person, on the platform and in address books. */
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
