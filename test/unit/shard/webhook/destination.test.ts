import { expect, it } from "vitest";
import { destinationOf } from "../../../../shard/webhook/destination.js";

it.each([
  ["http://hooks.example/a", "hooks.example:80"],
  ["https://hooks.example/a", "hooks.example:443"],
  ["https://user:word@HOOKS.example:443/b?c", "hooks.example:443"],
  ["http://hooks.example:8080", "hooks.example:8080"],
  ["http://[::1]:7777/", "[::1]:7777"],
])("%s goes to %s", (url, destination) => {
  expect(destinationOf(url)).toBe(destination);
});
