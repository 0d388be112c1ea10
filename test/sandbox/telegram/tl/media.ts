import { Api } from "telegram";
import type { Account } from "../world/account.js";
import { long } from "../world/ids.js";
import { sizeOf, type MediaItem, type PhotoVariant } from "../world/media-item.js";
import type { Attachment } from "../world/message-box.js";
import type { World } from "../world/world.js";
import { tlPoll, tlPollResults } from "./poll.js";
import { present } from "./present.js";

export function tlMessageMedia(world: World, viewer: Account, attachment: Attachment): Api.TypeMessageMedia {
  switch (attachment.kind) {
    case "geo": {
      const geo = new Api.GeoPoint({ lat: attachment.lat, long: attachment.long, accessHash: long(0) });
      if (attachment.live !== undefined) return new Api.MessageMediaGeoLive(present({ geo, ...attachment.live }));
      if (attachment.venue === undefined) return new Api.MessageMediaGeo({ geo });
      return new Api.MessageMediaVenue({
        geo,
        title: attachment.venue.name,
        address: attachment.venue.address,
        provider: "",
        venueId: "",
        venueType: "",
      });
    }
    case "dice":
      return new Api.MessageMediaDice({ emoticon: attachment.emoticon, value: attachment.value });
    case "contact": {
      const { phone, firstName, lastName, vcard } = attachment;
      const person = world.accounts.personByPhone(phone.replace(/\D/g, ""));
      return new Api.MessageMediaContact({ phoneNumber: phone, firstName, lastName, vcard, userId: long(person?.id ?? 0) });
    }
    case "poll": {
      const poll = world.polls.get(attachment.pollId);
      if (poll === undefined) return new Api.MessageMediaEmpty();
      return new Api.MessageMediaPoll({ poll: tlPoll(poll), results: tlPollResults(poll, viewer) });
    }
    case "media": {
      const item = world.media.get(attachment.mediaId);
      if (item === undefined) return new Api.MessageMediaEmpty();
      const shown = { spoiler: attachment.spoiler, ttlSeconds: attachment.ttlSeconds };
      if (item.kind === "photo") return new Api.MessageMediaPhoto(present({ photo: tlPhoto(world, viewer, item), ...shown }));
      return new Api.MessageMediaDocument(
        present({
          document: tlDocument(world, viewer, item),
          video: item.kind === "video" || undefined,
          round: item.round,
          voice: item.voice,
          ...shown,
        }),
      );
    }
    default:
      return attachment satisfies never;
  }
}

function tlPhoto(world: World, viewer: Account, item: MediaItem): Api.Photo {
  return new Api.Photo({
    id: long(item.id),
    accessHash: long(world.secrets.accessHash(viewer.account, "photo", item.id)),
    fileReference: world.secrets.fileReference(viewer.account, item.id),
    date: item.date,
    sizes: item.variants.map(tlPhotoSize),
    dcId: item.dcId,
  });
}

function tlDocument(world: World, viewer: Account, item: MediaItem): Api.Document {
  return new Api.Document(
    present({
      id: long(item.id),
      accessHash: long(world.secrets.accessHash(viewer.account, "document", item.id)),
      fileReference: world.secrets.fileReference(viewer.account, item.id),
      date: item.date,
      mimeType: item.mimetype,
      size: long(sizeOf(item.content)),
      thumbs: item.variants.length > 0 ? item.variants.map(tlPhotoSize) : undefined,
      dcId: item.dcId,
      attributes: attributesOf(item),
    }),
  );
}

/** On the platform, size y is a progressive JPEG: its total length is the last number of the list. */
function tlPhotoSize({ type, width, height, content }: PhotoVariant): Api.TypePhotoSize {
  const size = sizeOf(content);
  if (type === "y")
    return new Api.PhotoSizeProgressive({ type, w: width, h: height, sizes: [Math.ceil(size / 4), Math.ceil(size / 2), size] });
  return new Api.PhotoSize({ type, w: width, h: height, size });
}

function attributesOf(item: MediaItem): Api.TypeDocumentAttribute[] {
  const attributes: Api.TypeDocumentAttribute[] = [];
  if (item.kind === "video")
    attributes.push(
      new Api.DocumentAttributeVideo(
        present({ duration: item.duration, w: item.width, h: item.height, supportsStreaming: true, roundMessage: item.round }),
      ),
    );
  if (item.animated === true) attributes.push(new Api.DocumentAttributeAnimated());
  if (item.kind === "audio")
    attributes.push(
      new Api.DocumentAttributeAudio(
        present({
          duration: Math.round(item.duration),
          voice: item.voice,
          title: item.title,
          performer: item.performer,
          waveform: item.waveform === undefined ? undefined : Buffer.from(item.waveform, "base64"),
        }),
      ),
    );
  if (item.kind === "sticker") {
    attributes.push(new Api.DocumentAttributeImageSize({ w: item.width, h: item.height }));
    attributes.push(new Api.DocumentAttributeSticker({ alt: "🙂", stickerset: new Api.InputStickerSetEmpty() }));
  }
  if (item.fileName !== undefined) attributes.push(new Api.DocumentAttributeFilename({ fileName: item.fileName }));
  return attributes;
}
