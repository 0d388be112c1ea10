import { callsOfBoth, created } from "../calls-of-both.js";
import { sharedErrors } from "../errors/shared-errors.js";
import { allSettings, picture } from "../group-requests.js";
import { whatsappErrors } from "./errors.js";
import type { Texts } from "./types.js";

const calls = callsOfBoth("WhatsApp");
const id = "120363025246125486@g.us";
const group = { id, name: "Sales", description: "Orders and offers", picture: "https://example.com/pictures/sales.jpg", created };
const members = [{ phone: "15550100002" }, { user: "15550100003@s.whatsapp.net" }];
const people = { phone: ["15550100002"], user: ["15550100003@s.whatsapp.net"] };
const added = [
  { phone: "15550100002", code: 200, reason: "" },
  {
    user: "15550100003@s.whatsapp.net",
    code: 403,
    reason: "403: the platform does not allow this for the person: send them the invite link instead of adding them",
  },
];
const removed = { docs: [{ phone: "15550100002", code: 200, reason: "" }] };
const ofPeople = [sharedErrors.invalidMemberCount, whatsappErrors.invalidPerson];
const ofGroup = [whatsappErrors.invalidGroup, whatsappErrors.groupNotFound, whatsappErrors.platformError];
const changed = { summary: "Two people", body: { group: id, members } };
const link = "https://chat.whatsapp.com/JxkV3c0OSg2H5Yt8mQzR1b";

export const groupTexts = {
  "create-group": {
    ...calls["create-group"],
    requests: { group: { summary: "Group with two people", body: { name: "Sales", members } } },
    reply: { ...group, description: "", picture: "", refused: added.slice(1) },
    errors: [...ofPeople, sharedErrors.outcomeUnknown, whatsappErrors.platformError],
  },
  "edit-group": {
    ...calls["edit-group"],
    parameters: { groupId: id },
    requests: {
      texts: { summary: "Name and description", body: { name: "Sales", description: "Orders and offers" } },
      picture: { summary: "Picture", body: { picture } },
      settings: { summary: "Settings", body: { settings: { ...allSettings, approval: true } } },
    },
    reply: group,
    errors: [
      sharedErrors.nothingToChange,
      sharedErrors.invalidPictureUrl,
      whatsappErrors.invalidEphemeral,
      whatsappErrors.invalidGroupId,
      sharedErrors.fileFromUrl,
      sharedErrors.compressImage,
      whatsappErrors.groupNotFound,
      whatsappErrors.platformError,
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
    errors: [sharedErrors.invalidInviteLink, whatsappErrors.groupNotFound, whatsappErrors.platformError],
  },
  "leave-group": {
    ...calls["leave-group"],
    requests: { group: { summary: "One group", body: { group: id } } },
    reply: { id },
    errors: ofGroup,
  },
} satisfies Partial<Texts>;
