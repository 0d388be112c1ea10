import { Api } from "telegram";
import bigInt from "big-integer";
import type { Ending } from "../../../shared/flow/ending.js";
import { invalidAfter } from "../../../shared/contract/telegram/errors.js";
import { listTimeoutMs } from "../../../shared/limits.js";
import type { Client } from "../client.js";
import { type PeerStore, toInputPeer } from "../peers.js";
import { markOfPeer } from "../convert.js";
import { dialogFolders } from "./dialogs.js";

/** A chat with its newest message. */
export interface DatedDialog {
  /** Marked id. */
  readonly id: string;
  readonly unread: number;
  readonly top: Api.Message | Api.MessageService;
}

export interface DatedDialogs {
  /** Newest first. */
  readonly dialogs: readonly DatedDialog[];
  readonly users: readonly Api.TypeUser[];
  readonly chats: readonly Api.TypeChat[];
  /** Cursor of the next page; empty on the last one. */
  readonly next: string;
}

export interface DialogPageOptions {
  readonly client: Client;
  readonly peers: Pick<PeerStore, "find">;
  readonly signal: Ending;
}

/** A place in a list of chats: Unix seconds and id of a chat's newest message, and the chat's marked id. */
interface Place {
  readonly date: number;
  readonly messageId: number;
  readonly chat: string;
}

type Response = Exclude<Api.messages.TypeDialogs, Api.messages.DialogsNotModified> | Api.messages.PeerDialogs;

/** One of the lists that a page is merged from. */
interface Source {
  readonly responses: readonly Response[];
  /** In the order of the list. */
  readonly dialogs: readonly DatedDialog[];
  /** Where the page before ended in this list. */
  readonly from: Place | undefined;
  /** The list may have more than these. */
  readonly isFull: boolean;
}

/**
 * Reads a page of the account's chats by their newest messages. The platform keeps three lists: the chats, the archive, and the pinned
 * chats, which come before all others. The cursor is a place in each. Throws 400 for a cursor that no page returned.
 */
export async function readDialogPage(options: DialogPageOptions, limit: number, after: string): Promise<DatedDialogs> {
  const [pinnedFrom, ...folderFrom] = parsePlaces(after);
  const asked = Math.min(limit + 1, platformMost);
  const sources = await Promise.all([
    readPinned(options, pinnedFrom),
    ...dialogFolders.map((folderId, index) => readFolder(options, folderId, folderFrom[index], asked)),
  ]);
  const { dialogs, places, isWhole } = merged(sources, limit);
  const responses = sources.flatMap((source) => source.responses);
  return {
    dialogs,
    users: responses.flatMap(({ users }) => users),
    chats: responses.flatMap(({ chats }) => chats),
    next: isWhole || dialogs.length === 0 ? "" : places.map(placeText).join("_"),
  };
}

/** The platform returns no more chats at once. */
const platformMost = 100;

async function readPinned({ client, signal }: DialogPageOptions, from: Place | undefined): Promise<Source> {
  const requests = dialogFolders.map((folderId) =>
    client.invoke(new Api.messages.GetPinnedDialogs({ folderId }), { signal, deadlineMs: listTimeoutMs }),
  );
  const responses = await Promise.all(requests);
  const dialogs = responses
    .flatMap((response) => datedDialogs(response))
    .sort((a, b) => compare(placeOf(a), placeOf(b)))
    .filter((dialog) => from === undefined || compare(placeOf(dialog), from) > 0);
  return { responses, dialogs, from, isFull: false };
}

async function readFolder(
  { client, peers, signal }: DialogPageOptions,
  folderId: (typeof dialogFolders)[number],
  from: Place | undefined,
  limit: number,
): Promise<Source> {
  const peer = from && (await peers.find(from.chat));
  const request = new Api.messages.GetDialogs({
    folderId,
    excludePinned: true,
    limit,
    offsetDate: from?.date ?? 0,
    offsetId: from?.messageId ?? 0,
    offsetPeer: peer === undefined ? new Api.InputPeerEmpty() : toInputPeer(peer),
    hash: bigInt.zero,
  });
  const response = await client.invoke(request, { signal, deadlineMs: listTimeoutMs });
  if (response instanceof Api.messages.DialogsNotModified) return { responses: [], dialogs: [], from, isFull: false };
  // A chat with a newer message was listed before, at its former place or above.
  const dialogs = datedDialogs(response).filter(({ top }) => from === undefined || top.date <= from.date);
  return {
    responses: [response],
    dialogs,
    from,
    isFull: response instanceof Api.messages.DialogsSlice && response.dialogs.length >= limit,
  };
}

/** Takes chats from the heads of the lists, newest first, each chat once. */
function merged(sources: readonly Source[], limit: number): { dialogs: DatedDialog[]; places: (Place | undefined)[]; isWhole: boolean } {
  const rests = sources.map(({ dialogs, from, isFull }) => ({ dialogs: [...dialogs], place: from, isFull }));
  const taken = new Map<string, DatedDialog>();
  while (taken.size < limit) {
    const heads = rests.filter(({ dialogs }) => dialogs.length > 0);
    const [newest] = heads.sort((a, b) => (b.dialogs[0]?.top.date ?? 0) - (a.dialogs[0]?.top.date ?? 0));
    const dialog = newest?.dialogs.shift();
    if (newest === undefined || dialog === undefined) break;
    newest.place = placeOf(dialog);
    taken.set(dialog.id, dialog);
    // What comes after the end of a page is not known, so no older chat of another list may go before it.
    if (newest.dialogs.length === 0 && newest.isFull) break;
  }
  const isWhole = rests.every(({ dialogs, isFull }) => dialogs.length === 0 && !isFull);
  return { dialogs: [...taken.values()], places: rests.map(({ place }) => place), isWhole };
}

/** Returns the chats that have a message. The other entries stand for a folder of chats. */
function datedDialogs({ dialogs, messages }: Response): DatedDialog[] {
  const tops = new Map(
    messages.flatMap((message) => (message instanceof Api.MessageEmpty ? [] : [[`${markOfPeer(message.peerId)} ${message.id}`, message]])),
  );
  return dialogs.flatMap((dialog) => {
    if (!(dialog instanceof Api.Dialog)) return [];
    const id = markOfPeer(dialog.peer);
    const top = tops.get(`${id} ${dialog.topMessage}`);
    return top === undefined ? [] : [{ id, unread: dialog.unreadCount, top }];
  });
}

const placeOf = ({ id, top }: DatedDialog): Place => ({ date: top.date, messageId: top.id, chat: id });

/** Newest first. */
function compare(a: Place, b: Place): number {
  return b.date - a.date || b.messageId - a.messageId || (a.chat < b.chat ? -1 : Number(a.chat > b.chat));
}

const placeText = (place: Place | undefined): string => (place === undefined ? "" : `${place.date}.${place.messageId}.${place.chat}`);

/** Returns the places in the pinned chats, the chats and the archive. */
function parsePlaces(cursor: string): (Place | undefined)[] {
  if (cursor === "") return [];
  const texts = cursor.split("_");
  if (texts.length !== 1 + dialogFolders.length) throw invalidAfter();
  return texts.map((text) => (text === "" ? undefined : parsePlace(text)));
}

function parsePlace(text: string): Place {
  const [, date, messageId, chat] = /^(\d{1,10})\.(\d{1,10})\.(-?[1-9]\d{0,15})$/.exec(text) ?? [];
  if (chat === undefined || Number(date) > numberMost || Number(messageId) > numberMost) throw invalidAfter();
  return { date: Number(date), messageId: Number(messageId), chat };
}

/** Dates and message ids are signed 32-bit integers on the wire. */
const numberMost = 2 ** 31 - 1;
