import type { Platform } from "../../../shared/contract/platform.js";
import type { ErrorStep } from "./play-errors.js";
import type { World } from "./world.js";

/** Plays a group's life from its creation to the account's departure. The document's group stands for the new one. */
export async function playGroups({ replay, of }: World, platform: Platform): Promise<void> {
  const headers = of(platform);
  const base = `/${platform}/group`;
  const [created] = await replay.playAll(`POST ${base}`, { headers });
  const { id } = created?.body as { id: string };
  const shown = platform === "telegram" ? "-4600000001" : "120363025246125486@g.us";
  replay.instead.set(shown, id);
  await replay.playAll(`PATCH ${base}/{groupId}`, { headers, path: { groupId: id } });
  const person: Record<string, string> = platform === "telegram" ? { username: "bob_sandbox" } : { phone: "15550100002" };
  for (const what of ["member", "admin"]) await replay.playAll(`POST ${base}/${what}`, { headers });
  for (const what of ["admin", "member"]) await replay.play(`DELETE ${base}/${what}`, { headers, query: { group: id, ...person } });
  const query = { group: id };
  await replay.read(`${base}/invite`, { headers, query });
  const { link } = (await replay.play(`DELETE ${base}/invite`, { headers, query })).body as { link: string };
  for (const [, body] of replay.requests(`POST ${base}/join`)) replay.instead.set((body as { link: string }).link, link);
  await replay.playAll(`POST ${base}/join`, { headers });
  await replay.playAll(`POST ${base}/leave`, { headers });
  replay.instead.delete(shown);
}

/** Errors of the calls that change groups. */
export function groupErrors({ of, callers }: World): Readonly<Record<string, ErrorStep>> {
  const member = (platform: Platform, body: object): ErrorStep => ({
    route: `POST /${platform}/group/member`,
    play: { headers: of(platform), body },
  });
  const edit = (platform: Platform, body: object): ErrorStep => ({
    route: `PATCH /${platform}/group/{groupId}`,
    play: { headers: of(platform), path: { groupId: platform === "telegram" ? "-4600000001" : "120363025246125486@g.us" }, body },
  });
  const whatsappGroup = "120363025246125486@g.us";
  return {
    nothingToChange: { ...edit("telegram", {}), says: /^one of name, .* should not be empty$/ },
    invalidPictureUrl: edit("telegram", { picture: "ftp://example.com/cake.jpg" }),
    invalidMemberCount: member("telegram", { group: "-1001", members: [] }),
    invalidInviteLink: { route: "POST /telegram/group/join", play: { headers: of("telegram"), body: { link: "https://example.com" } } },
    telegramInvalidPerson: member("telegram", { group: "-1001", members: [{}] }),
    telegramNeedsSupergroup: {
      route: "PATCH /telegram/group/{groupId}",
      ask: async () => {
        const { body } = await callers.telegram.send("POST", "/group", { name: "Small", members: [{ username: "bob_sandbox" }] });
        return await callers.telegram.send("PATCH", `/group/${(body as { id: string }).id}`, { settings: { approval: true } });
      },
    },
    whatsappInvalidGroup: member("whatsapp", { group: "sales", members: [{ phone: "15550100002" }] }),
    whatsappInvalidPerson: member("whatsapp", { group: whatsappGroup, members: [{}] }),
    whatsappInvalidEphemeral: edit("whatsapp", { settings: { ephemeral: 5 } }),
  };
}
