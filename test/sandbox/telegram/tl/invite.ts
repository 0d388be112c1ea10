import { Api } from "telegram";
import type { Account } from "../world/account.js";
import { long, type MarkedId } from "../world/ids.js";
import { type Invite, linkOf } from "../world/invites.js";
import type { World } from "../world/world.js";
import { present } from "./present.js";

/** Returns the administrator's own link into a chat, if it was ever requested. */
export function tlOwnInvite({ invites }: World, { userId }: Account, peer: MarkedId): Api.ChatInviteExported | undefined {
  const own = invites.of(peer).find(({ adminId, permanent, revoked }) => adminId === userId && permanent && !revoked);
  return own && tlInvite(own);
}

export function tlInvite(invite: Invite): Api.ChatInviteExported {
  const { adminId, date, permanent, revoked, title, expireDate, usageLimit, importers } = invite;
  return new Api.ChatInviteExported(
    present({
      ...{ link: linkOf(invite), adminId: long(adminId), date, title, expireDate, usageLimit },
      permanent: permanent || undefined,
      revoked: revoked || undefined,
      usage: importers.length || undefined,
    }),
  );
}
