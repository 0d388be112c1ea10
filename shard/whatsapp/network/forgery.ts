/** A contact's signed prekey that its identity did not sign. */
export class ForgedPreKey extends Error {
  override readonly name = "ForgedPreKey";

  constructor() {
    super("a contact's signed prekey is not signed by its identity");
  }
}

/** A group message or status that its author did not sign. Every member has the key to encrypt one. */
export class ForgedMessage extends Error {
  override readonly name = "ForgedMessage";

  constructor() {
    super("a group's message is not signed by its author");
  }
}
