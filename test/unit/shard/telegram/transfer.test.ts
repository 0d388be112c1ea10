import { expect, test } from "vitest";
import { nameOf } from "../../../../shard/telegram/media/transfer.js";

test.each([
  ["https://e.com/a/video.mp4?x=1", "video.mp4"],
  ["https://e.com/Отпуск 2026.mp4", "Отпуск 2026.mp4"],
  ["https://e.com/%D0%9E%D1%82%D0%BF%D1%83%D1%81%D0%BA%202026.mp4", "Отпуск 2026.mp4"],
  ["https://e.com/夏の歌 🎵 (live).mp3", "夏の歌 🎵 (live).mp3"],
  ["https://e.com/a%20b%25.mp4", "a b%.mp4"],
  // Names in another encoding stay readable in part.
  ["https://e.com/caf%E9.mp4", "caf_E9.mp4"],
  ["https://e.com/..%2F..%2Fetc%2Fpasswd", ".._.._etc_passwd"],
  ["https://e.com/a%0Ab%00c%22d.mp4", "a_b_c_d.mp4"],
  ["https://e.com/gpj%E2%80%AE4pm.exe", "gpj_4pm.exe"],
  [`https://e.com/${"я".repeat(90)}.mp4`, `${"я".repeat(60)}.mp4`],
  ["https://e.com/", "video.mp4"],
  ["https://e.com/%E2%80%8B", "video.mp4"],
  ["https://e.com/%20", "video.mp4"],
])("the file of %s is called %s", (url, expected) => {
  expect(nameOf(url, "video.mp4")).toBe(expected);
});
