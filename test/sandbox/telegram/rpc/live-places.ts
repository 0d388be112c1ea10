import { Api } from "telegram";
import { RpcFault } from "../rpc.js";
import type { Attachment } from "../world/message-box.js";
import type { AcceptedMedia } from "./accepted-media.js";

/** Seconds; the last value means for ever. */
const shortest = 60;
const longest = 86_400;
const forever = 0x7fffffff;

export function livePlace(media: Api.InputMediaGeoLive): AcceptedMedia {
  const period = media.period ?? 0;
  if (media.stopped === true || ((period < shortest || period > longest) && period !== forever))
    throw new RpcFault(400, "MEDIA_GEOPERIOD_INVALID");
  return placed(media, period);
}

/** Moves or ends a live place by an edit. Its period stays. */
export function movedPlace(former: Attachment | undefined, media: Api.InputMediaGeoLive): AcceptedMedia {
  if (former?.kind !== "geo" || former.live === undefined) throw new RpcFault(400, "MEDIA_PREV_INVALID");
  if (media.stopped !== true) return placed(media, former.live.period);
  const { lat, long } = former;
  return { kind: "location", attachment: { kind: "geo", lat, long, live: { period: 0 } }, location: { latitude: lat, longitude: long } };
}

function placed({ geoPoint, heading }: Api.InputMediaGeoLive, period: number): AcceptedMedia {
  if (!(geoPoint instanceof Api.InputGeoPoint)) throw new RpcFault(400, "GEO_POINT_INVALID");
  const { lat, long } = geoPoint;
  if (Math.abs(lat) > 90 || Math.abs(long) > 180) throw new RpcFault(400, "GEO_POINT_INVALID");
  return {
    kind: "location",
    attachment: { kind: "geo", lat, long, live: { period, ...(heading && { heading }) } },
    location: { latitude: lat, longitude: long },
  };
}
