import { firstNames, lastNames } from "../../person-names.js";

/** One user of the platform, with or without an account of the sandbox. */
export interface Person {
  readonly id: number;
  firstName: string;
  lastName: string;
  username: string | undefined;
  phone: string | undefined;
  /** Only contacts see the phone number, and it cannot be searched. */
  phoneHidden: boolean;
  hasPhoto: boolean;
  deleted: boolean;
}

const contactBase = 6_000_000_000;
const memberBase = 6_500_000_000;
/** Ids reserved per account for its contacts. The account's index selects the block. */
export const contactsPerAccount = 1_000;
export const memberPopulation = 20_000;

/** Returns the `n`-th contact of the account with that index. Contacts are computed, never stored. */
export function contactPerson(accountIndex: number, n: number): Person {
  return generated(contactBase + accountIndex * contactsPerAccount + n);
}

/** Returns the `n`-th person of the population that fills the big groups. */
export function memberPerson(n: number): Person {
  return generated(memberBase + n);
}

/** Returns any generated person by id, or `undefined` outside the generated ranges. */
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

/** Properties repeat with the id: every third person has a username, and some are deleted or nameless, which tests the fallbacks. */
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
