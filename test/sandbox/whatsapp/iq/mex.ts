import typia from "typia";
import { bytesOf, node } from "../protocol/node.js";
import { IqFault } from "../whatsapp-backend.js";
import { capOf, lockOf } from "../world/restriction.js";
import { faultError } from "../world/faults.js";
import { createChannel, deleteChannel, follow, setMute, unfollow, updateChannel } from "./channel-changes.js";
import { channelDoc, inviteOf } from "./channel-doc.js";
import type { IqHandler, IqRequest } from "./iq-request.js";
import { failure, type Query, type Variables } from "./mex-query.js";

const parse = typia.json.createAssertParse<{ readonly variables: Variables }>();

/** Handles GraphQL in JSON. Clients identify each query by a number. */
export const mex: IqHandler = (request) => {
  const { variables } = bodyOf(request);
  const id = request.query?.attrs.query_id ?? "";
  const query = Object.hasOwn(queries, id) ? queries[id] : undefined;
  const fault = request.world.faults.takeNamed("error", request.account.account, "mex");
  if (fault !== undefined) {
    const { code, text } = faultError(fault);
    return [node("result", {}, Buffer.from(JSON.stringify(failure(code, text))))];
  }
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

const subscribed: Query = (request) => {
  const { world, account } = request;
  const docs = [...world.opened(account).channels]
    .flatMap((id) => world.channel(id) ?? [])
    .filter((channel) => !channel.deleted)
    .map((channel) => channelDoc(request, channel, account));
  return { data: { xwa2_newsletter_subscribed: docs } };
};

/** An unknown channel id yields a response without a channel. */
const metadata: Query = (request, { input, fetch_viewer_metadata: viewer }) => {
  const { world, account } = request;
  const key = input?.key ?? "";
  const channel = input?.type === "INVITE" ? [...world.allChannels()].find((one) => inviteOf(one) === key) : world.channel(key);
  const doc =
    channel === undefined
      ? { id: null, state: { type: "NON_EXISTING" }, thread_metadata: null, viewer_metadata: null }
      : channelDoc(request, channel, account, viewer);
  return { data: { xwa2_newsletter: doc } };
};

const adminCount: Query = ({ world }, { newsletter_id }) => {
  const channel = world.channel(newsletter_id ?? "");
  if (channel === undefined) return failure(404, "Not Found");
  return { data: { xwa2_newsletter_admin: { id: channel.id, admin_count: channel.adminCount } } };
};

const lock: Query = ({ world, account }) => ({ data: { xwa2_fetch_account_reachout_timelock: lockOf(world, account) } });

const cap: Query = ({ world, account }) => ({ data: { xwa2_message_capping_info: capOf(world, account) } });

/**
 * Clients and their versions send the same query under different numbers. In each row, whatsmeow's come first (newsletter.go) and Baileys'
 * last (Types/Mex.js).
 */
const queries: Readonly<Record<string, Query>> = {
  ...{ "6388546374527196": subscribed, "25399611239711790": subscribed },
  ...{ "6563316087068696": metadata },
  ...{ "6234210096708695": createChannel, "8823471724422422": createChannel },
  ...{ "7150902998257522": updateChannel, "24250201037901610": updateChannel },
  ...{ "9926858900719341": follow, "24404358912487870": follow },
  ...{ "6392786840836363": unfollow, "9767147403369991": unfollow },
  ...{ "6274038279359549": setMute(true), "29766401636284406": setMute(true) },
  ...{ "6068417879924485": setMute(false), "9864994326891137": setMute(false) },
  ...{ "30062808666639665": deleteChannel },
  ...{ "7130823597031706": adminCount },
  ...{ "23983697327930364": lock, "24503548349331633": cap },
};
