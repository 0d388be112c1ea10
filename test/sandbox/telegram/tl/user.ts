import { LRUCache } from "lru-cache";
import { Api } from "telegram";
import type { Account } from "../world/account.js";
import { long } from "../world/ids.js";
import type { Person } from "../world/person.js";
import type { World } from "../world/world.js";
import { present } from "./present.js";

/** Serialising a user costs 35 us, and each call for a list of 10,000 members repeats them. */
const cached = new LRUCache<string, Api.User>({ max: 12_000 });

/** Returns the person as the viewer sees it: with the viewer's access hash, and a phone number only for contacts. */
export function tlUser(world: World, viewer: Account, person: Person): Api.User {
  const isSelf = person.id === viewer.userId;
  const contact = viewer.contacts.has(person.id);
  const hash = world.secrets.accessHash(viewer.account, "user", person.id);
  const photoId = world.profilePhotos.idOf(person);
  const { firstName, lastName } = viewer.contactNames.get(person.id) ?? person;
  const key = `${hash}:${contact}:${photoId}:${firstName}:${lastName}`;
  const known = cached.get(key);
  if (known !== undefined) return known;
  // Members outside the contacts show a number only if they share it with everybody.
  const phone = isSelf || contact || world.accounts.ofUser(person.id) === undefined ? person.phone : undefined;
  const user = new Api.User(
    present({
      id: long(person.id),
      accessHash: long(hash),
      self: isSelf || undefined,
      contact: contact || undefined,
      mutualContact: (contact && world.accounts.ofUser(person.id) !== undefined) || undefined,
      deleted: person.deleted || undefined,
      firstName: firstName || undefined,
      lastName: lastName || undefined,
      username: person.username,
      phone,
      photo:
        photoId === undefined
          ? new Api.UserProfilePhotoEmpty()
          : new Api.UserProfilePhoto({ photoId: long(photoId), dcId: world.profilePhotos.dcOf(person.id) }),
      status: new Api.UserStatusRecently({}),
    }),
  );
  const bytes = user.getBytes();
  user.getBytes = () => bytes;
  cached.set(key, user);
  return user;
}
