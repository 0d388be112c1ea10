import * as errors from "../../../shared/contract/whatsapp/errors.js";
import type * as shared from "../../../shared/contract/errors.js";
import type { Catalog } from "../errors/error-text.js";

/** Sentences of variant A alone, or with another status than in variant B. */
export const whatsappErrors = {
  invalidRecipient: { error: errors.invalidRecipient(), when: "None of the three is there, or the one that counts cannot be a recipient." },
  invalidTypingRecipient: {
    error: errors.invalidTypingRecipient(),
    when: "None of the two is there, or the one that counts cannot be a recipient.",
  },
  invalidGroupId: { error: errors.invalidGroupId(), when: "`groupId` has another form." },
  invalidPhone: { error: errors.invalidPhone(), when: "`phone` has not 8 to 15 digits after tidying, or still begins with 0." },
  invalidPasskey: {
    error: errors.invalidPasskey("credential: it answers another challenge"),
    when: "The credential is no answer to the challenge; why is in the sentence. Nothing was sent, and the challenge stays open.",
  },
  noPasskeyAsked: { error: errors.noPasskeyAsked(), when: "No challenge is open, or it was answered already." },
  noPasskeyCode: { error: errors.noPasskeyCode(), when: "No code waits to be confirmed." },
  channelNotFound: { error: errors.channelNotFound(), when: "The account sees no such channel." },
  groupNotFound: { error: errors.groupNotFound(), when: "The account is not in such a group." },
  platformError: {
    error: errors.platformError("403: the account may not do this here"),
    when: "The platform refused. Its code comes first, then its own word where it has one, then what that means.",
  },
  channelsNotListed: { error: errors.channelsNotListed(), when: "The platform refused, and did not say why." },
  contactsNotSynced: {
    error: errors.contactsNotSynced(),
    when: "The account's privacy setting needs its address book, which has not come yet.",
  },
  noStatusContacts: { error: errors.noStatusContacts(), when: "The list of the account's privacy setting is empty." },
} satisfies Catalog<Omit<typeof errors, keyof typeof shared>>;
