import typia from "typia";
import { bytesOf, node } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import type { Account } from "../world/account.js";
import type { Channel } from "../world/channel.js";
import type { IqHandler, IqRequest } from "./iq-request.js";

interface Variables {
  readonly input?: { readonly key?: string; readonly type?: string };
  readonly newsletter_id?: string;
}

const parse = typia.json.createAssertParse<{ readonly variables: Variables }>();

/** GraphQL in JSON: queries are known by number. */
export const mex: IqHandler = (request) => {
  const { variables } = bodyOf(request);
  const id = request.query?.attrs.query_id ?? "";
  const query = Object.hasOwn(queries, id) ? queries[id] : undefined;
  const answer = query === undefined ? failure(400, "unknown query") : query(request, variables);
  return [node("result", {}, Buffer.from(JSON.stringify(answer)))];
};

function bodyOf({ query }: IqRequest): { readonly variables: Variables } {
  try {
    return parse(bytesOf(query)?.toString() ?? "");
  } catch {
    throw new IqFault(400, "bad-request");
  }
}

type Query = (request: IqRequest, variables: Variables) => unknown;

const subscribed: Query = (request) => {
  const { world, account } = request;
  const docs = [...world.opened(account).channels]
    .flatMap((id) => world.channel(id) ?? [])
    .map((channel) => channelDoc(request, channel, account));
  return { data: { xwa2_newsletter_subscribed: docs } };
};

/** An id that no channel has is answered by a node without one. */
const metadata: Query = (request, { input }) => {
  const { world, account } = request;
  const key = input?.key ?? "";
  const channel = input?.type === "INVITE" ? [...world.allChannels()].find((one) => inviteOf(one) === key) : world.channel(key);
  const doc =
    channel === undefined
      ? { id: null, state: { type: "NON_EXISTING" }, thread_metadata: null, viewer_metadata: null }
      : channelDoc(request, channel, account);
  return { data: { xwa2_newsletter: doc } };
};

const adminCount: Query = ({ world }, { newsletter_id }) => {
  const channel = world.channel(newsletter_id ?? "");
  if (channel === undefined) return failure(404, "Not Found");
  return { data: { xwa2_newsletter_admin: { id: channel.id, admin_count: channel.options.admins.length + 1 } } };
};

/** Two generations of clients list their channels under different numbers. */
const queries: Readonly<Record<string, Query>> = {
  "6388546374527196": subscribed,
  "25399611239711790": subscribed,
  "6563316087068696": metadata,
  "7130823597031706": adminCount,
};

function channelDoc({ mediaHost, world }: IqRequest, channel: Channel, account: Account): unknown {
  const { id, name, description, created, subscribers, picture, state } = channel.options;
  const path = `/pictures/${encodeURIComponent(id)}/${world.pictures.get(id) ?? 0}`;
  const image = (type: "IMAGE" | "PREVIEW", file: string): unknown =>
    picture === "none"
      ? null
      : {
          id: String(created),
          type,
          direct_path: `${path}/${file}`,
          ...(picture === "url" && { url: `https://${mediaHost()}${path}/${file}` }),
        };
  const text = (value: string): unknown => ({ id: String(created), text: value, update_time: String(created * 1_000_000) });
  return {
    id,
    state: { type: state },
    thread_metadata: {
      creation_time: String(created),
      name: text(name),
      description: text(description),
      invite: inviteOf(channel),
      handle: null,
      picture: image("IMAGE", "image.jpg"),
      preview: image("PREVIEW", "preview.jpg"),
      subscribers_count: String(subscribers),
      verification: subscribers > 100_000 ? "VERIFIED" : "UNVERIFIED",
    },
    viewer_metadata: { mute: "OFF", role: channel.roleOf(account) },
  };
}

function inviteOf({ id }: Channel): string {
  return `0029Va${id.slice(8, 18)}`;
}

function failure(code: number, message: string): unknown {
  return { data: null, errors: [{ message, extensions: { error_code: code, severity: "CRITICAL", is_retryable: false } }] };
}
