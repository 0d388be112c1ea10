/**
 * Returns the text of a platform refusal: the code first, which programs compare, then the platform's text if any, then the meaning. For a
 * refused message the platform sends only the code.
 */
export function refusalText(code: number | string, text?: string): string {
  const meaning = meanings.get(String(code));
  if (text === undefined || text === "") return `${code}: ${meaning ?? "the platform refused it"}`;
  return meaning === undefined ? `${code}: ${text}` : `${code}: ${text} (${meaning})`;
}

const tooMany = "too many requests of this account: wait before the next one";

const unreadable = "the platform could not read the message: this is a fault of the gateway or its library";

/** 463 and 479 as the library explains them; the others as the platform's own texts explain them elsewhere. */
const meanings: ReadonlyMap<string, string> = new Map([
  ["400", "the platform did not understand it"],
  ["401", "the account is not authorized for this"],
  ["403", "the account may not do this here"],
  ["404", "the platform does not know this chat or person"],
  ["405", "the platform does not allow this"],
  ["406", "the platform does not accept this"],
  ["409", "it conflicts with something on the platform"],
  ["410", "it is not there any more"],
  ["419", "a limit of the platform is reached"],
  ["420", tooMany],
  ["421", "the group addresses its members in another way by now: send it again"],
  ["429", tooMany],
  ["463", "the account is restricted: it may not start a chat with somebody who has not written to it"],
  ["475", "the account may not start more new chats for now: wait, or let the other side write first"],
  ["479", "the platform found it malformed, or addressed to devices that have changed"],
  ...["487", "488", "489", "490", "491", "495", "496"].map((code) => [code, unreadable] as const),
  ["499", "the message was deleted meanwhile"],
  ["500", "the platform failed"],
  ["503", "the platform is not available at the moment"],
  ["550", "administrators may not take this message back"],
  ["551", "the platform does not support this in a group that hides numbers"],
  ["552", "the platform could not store it"],
]);
