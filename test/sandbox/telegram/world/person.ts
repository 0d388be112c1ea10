import { firstNames, lastNames } from "../../person-names.js";

/** One user of the platform, whether or not an account of the sandbox stands behind it. */
export interface Person {
  readonly id: number;
  firstName: string;
  lastName: string;
  username: string | undefined;
  phone: string | undefined;
  /** Shown to contacts only, and not found by number. */
  phoneHidden: boolean;
  hasPhoto: boolean;
  deleted: boolean;
}

const contactBase = 6_000_000_000;
const memberBase = 6_500_000_000;
/** Each account owns this many ids for its contacts; an account's index picks the block. */
export const contactsPerAccount = 1_000;
export const memberPopulation = 20_000;

/** The `n`-th contact of the account with that index: computed, never stored. */
export function contactPerson(accountIndex: number, n: number): Person {
  return generated(contactBase + accountIndex * contactsPerAccount + n);
}

/** The `n`-th of the people who fill the big groups. */
export function memberPerson(n: number): Person {
  return generated(memberBase + n);
}

/** Any generated person by id; `undefined` outside the generated ranges. */
export function generatedPerson(id: number): Person | undefined {
  const isContact = id >= contactBase && id < memberBase;
  const isMember = id >= memberBase && id < memberBase + memberPopulation;
  return isContact || isMember ? generated(id) : undefined;
}

export function generatedByUsername(username: string): Person | undefined {
  const match = /^person_(\d{10})$/.exec(username);
  const person = match?.[1] === undefined ? undefined : generatedPerson(Number(match[1]));
  return person?.username === username ? person : undefined;
}

export function generatedByPhone(phone: string): Person | undefined {
  const match = /^1(6\d{9})$/.exec(phone);
  const person = match?.[1] === undefined ? undefined : generatedPerson(Number(match[1]));
  return person?.phone === phone ? person : undefined;
}

/** Traits repeat with the id: every third has a username, some are deleted or nameless, so that fallbacks of a name get exercised. */
function generated(id: number): Person {
  const isContact = id < memberBase;
  const n = id % memberBase;
  const deleted = !isContact && n % 97 === 96;
  const nameless = !isContact && n % 89 === 88;
  return {
    id,
    firstName: deleted || nameless ? "" : (firstNames[n % firstNames.length] ?? ""),
    lastName: deleted || nameless ? "" : (lastNames[(n * 7) % lastNames.length] ?? ""),
    username: !deleted && n % 3 === 0 ? `person_${id}` : undefined,
    phone: deleted || (!isContact && n % 41 !== 40) ? undefined : `1${id}`,
    phoneHidden: isContact && n % 7 === 5,
    hasPhoto: !deleted && n % 5 !== 4,
    deleted,
  };
}
