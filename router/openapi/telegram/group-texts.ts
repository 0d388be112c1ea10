import { callsOfBoth, created } from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { allSettings, picture } from "../group-requests.js";
import { ofChat, ofPerson, telegramErrors } from "./errors.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("Telegram");
const id = "-4600000001";
const group = { id, name: "Sales", username: "", description: "Orders and offers", picture: "", created };
const members = [{ username: "bob_sandbox" }, { user: "5100000003" }];
const people = { user: ["5100000003"], username: ["bob_sandbox"], phone: ["15550100004"] };
const added = [
  { username: "bob_sandbox", code: 200, reason: "" },
  {
    user: "5100000003",
    code: 403,
    reason: "403: USER_PRIVACY_RESTRICTED (the person's privacy settings do not allow it: send them the invite link)",
  },
];
const removed = { docs: [{ username: "bob_sandbox", code: 200, reason: "" }] };
const ofPeople = [sharedErrors.invalidMemberCount, telegramErrors.invalidPerson, telegramErrors.invalidReceiver];
const ofGroup = [telegramErrors.groupNotFound, ...ofChat];
const changed = { summary: "Two people", body: { group: id, members } };
const link = "https://t.me/+AbCdEfGhIjKlMnOp";

export const groupTexts = {
  "create-group": {
    ...calls["create-group"],
    description: `${calls["create-group"].description} The group is a basic group of at most 200 members, which its owner can upgrade on a phone.`,
    requests: { group: { summary: "Group with two people", body: { name: "Sales", members } } },
    reply: { ...group, description: "", refused: added.slice(1) },
    errors: [...ofPeople, ...ofPerson.slice(2), sharedErrors.outcomeUnknown],
  },
  "edit-group": {
    ...calls["edit-group"],
    parameters: { groupId: id },
    requests: {
      texts: { summary: "Name and description", body: { name: "Sales", description: "Orders and offers" } },
      picture: { summary: "Picture", body: { picture } },
      settings: { summary: "Settings", body: { settings: allSettings } },
    },
    reply: group,
    errors: [
      sharedErrors.nothingToChange,
      sharedErrors.invalidPictureUrl,
      telegramErrors.needsSupergroup,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
      ...ofGroup,
    ],
  },
  "add-group-members": {
    ...calls["add-group-members"],
    requests: { members: changed },
    reply: { docs: added },
    errors: [...ofPeople, ...ofGroup],
  },
  "remove-group-members": {
    ...calls["remove-group-members"],
    parameters: { group: id, ...people },
    reply: removed,
    errors: [...ofPeople, ...ofGroup],
  },
  "add-group-admins": {
    ...calls["add-group-admins"],
    description: `${calls["add-group-admins"].description} In a supergroup they get the rights that the platform's own clients suggest, as far as the account has them.`,
    requests: { admins: changed },
    reply: removed,
    errors: [...ofPeople, ...ofGroup],
  },
  "remove-group-admins": {
    ...calls["remove-group-admins"],
    parameters: { group: id, ...people },
    reply: removed,
    errors: [...ofPeople, ...ofGroup],
  },
  "get-group-invite": { ...calls["get-group-invite"], parameters: { group: id }, reply: { link }, errors: ofGroup },
  "revoke-group-invite": { ...calls["revoke-group-invite"], parameters: { group: id }, reply: { link }, errors: ofGroup },
  "join-group": {
    ...calls["join-group"],
    requests: { link: { summary: "Invite link", body: { link } } },
    reply: { ...group, pending: false },
    errors: [sharedErrors.invalidInviteLink, telegramErrors.groupNotFound, telegramErrors.platformError],
  },
  "leave-group": {
    ...calls["leave-group"],
    requests: { group: { summary: "One group", body: { group: id } } },
    reply: { id },
    errors: ofGroup,
  },
} satisfies Partial<Texts>;
