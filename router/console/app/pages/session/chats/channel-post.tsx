import type * as telegram from "../../../../../../shared/contract/telegram/channel.js";
import type * as whatsapp from "../../../../../../shared/contract/whatsapp/channel.js";
import { instantText } from "../../../ui/instant-text.js";
import { countText } from "../../../ui/count-text.js";
import { MessageFile } from "./message-file.js";

/** As either platform has it: one of them gives no links to its files. */
export type AnyMessage = Omit<whatsapp.ChannelMessage, "type"> & Partial<telegram.ChannelMessage> & Pick<telegram.ChannelMessage, "type">;

/** One message of a channel, with its file. */
export function ChannelPost({ post }: { post: AnyMessage }) {
  const { text, created, views, edited = "" } = post;
  return (
    <article class="card post">
      <MessageFile of={post} />
      {text !== "" && (
        <p class="post-text" dir="auto">
          {text}
        </p>
      )}
      <p class="soft post-foot">
        <time dateTime={created} title={created}>
          {instantText(created)}
        </time>
        {edited !== "" && " · edited"}
        {` · ${countText(views, ["view", "views"])}`}
      </p>
    </article>
  );
}
