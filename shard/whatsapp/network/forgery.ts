/** A contact's signed prekey that its identity did not sign. */
export class ForgedPreKey extends Error {
  override readonly name = "ForgedPreKey";

  constructor() {
    super("a contact's signed prekey is not signed by its identity");
  }
}

/** A group's message, or a status, that its author did not sign: each member has what it takes to encrypt one. */
export class ForgedMessage extends Error {
  override readonly name = "ForgedMessage";

  constructor() {
    super("a group's message is not signed by its author");
  }
}
