import type { Page } from "playwright-core";

/** Returns texts and controls that are cut off: outside the screen, outside an ancestor that clips, or outside the open dialog. */
export async function outside(page: Page): Promise<string[]> {
  // A new screen size takes effect in the next frame.
  await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))");
  return await page.evaluate<string[]>(script);
}

// Written as a text, because the page's types are not those of the test.
const script = `(() => {
  const found = new Set();
  const dialog = document.querySelector("dialog[open]");
  const screen = { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
  const say = (what, { left, right, top, bottom }) =>
    found.add(what.slice(0, 60).replace(/\\s+/g, " ") + ": " + [left, right, top, bottom].map(Math.round).join(", "));
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.closest(".unseen, .skip, select, textarea, svg") === null;
  // What an ellipsis cuts short is meant to be cut.
  const isCutShort = (element) => getComputedStyle(element).textOverflow === "ellipsis";
  const roomOf = (element) => {
    let { left, right } = screen;
    for (let at = element; at !== null; at = at.parentElement) {
      if (at !== element && getComputedStyle(at).overflowX !== "visible") {
        const box = at.getBoundingClientRect();
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
      }
      if (at === dialog) break;
    }
    return { left, right };
  };
  // A wide table scrolls to its other columns; only its buttons must be in sight.
  const isScrolledTo = (element) => element.closest(".buttons") === null && element.closest(".table-scroll") !== null && innerWidth >= 768;
  const check = (what, element, box) => {
    if (box.width === 0 || box.height === 0 || isScrolledTo(element)) return;
    const room = roomOf(element);
    if (box.left < room.left - 1 || box.right > room.right + 1) say(what, box);
  };
  const root = dialog ?? document.body;
  for (const control of root.querySelectorAll("button, a, input:not([type=radio], [type=checkbox]), select, textarea, img, video, audio, progress"))
    if (isShown(control)) check(control.getAttribute("aria-label") ?? (control.textContent || control.tagName), control, control.getBoundingClientRect());
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    const element = node.parentElement;
    if (node.data.trim() === "" || element === null || !isShown(element) || isCutShort(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) check(node.data, element, box);
  }
  if (dialog !== null) {
    const box = dialog.getBoundingClientRect();
    if (box.left < 0 || box.top < 0 || box.right > screen.right || box.bottom > screen.bottom) say("the dialog", box);
    for (const button of dialog.querySelectorAll("button")) {
      button.scrollIntoView({ block: "nearest" });
      const { top, bottom, left, right } = button.getBoundingClientRect();
      if (top < box.top || bottom > box.bottom || left < box.left || right > box.right)
        say(button.textContent || "a button", { left, right, top, bottom });
    }
  }
  return [...found];
})()`;
