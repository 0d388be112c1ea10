import { Api } from "telegram";
import type { StoredDraft } from "../world/account.js";
import { tlEntities } from "./entities.js";
import { present } from "./present.js";

export function tlDraft(draft: StoredDraft | undefined): Api.TypeDraftMessage {
  if (draft === undefined) return new Api.DraftMessageEmpty({});
  const { text, date, entities, replyTo } = draft;
  return new Api.DraftMessage(
    present({
      message: text,
      date,
      entities: tlEntities(entities),
      replyTo: replyTo === undefined ? undefined : new Api.InputReplyToMessage({ replyToMsgId: replyTo }),
    }),
  );
}
