/** Gives the focus to the page's heading. A page that was waiting may put another heading in its place: the focus goes along. Answers what ends that. */
export function focusHeading(): () => void {
  const main = document.getElementById("main");
  let heading = focused();
  const watch = new MutationObserver(() => {
    if (heading?.isConnected !== true && document.activeElement === document.body) heading = focused();
  });
  if (main !== null) watch.observe(main, { childList: true, subtree: true });
  return () => watch.disconnect();
}

function focused(): HTMLElement | undefined {
  const heading = document.querySelector<HTMLElement>("main h1");
  if (heading === null) return undefined;
  heading.setAttribute("tabindex", "-1");
  heading.focus();
  return heading;
}
