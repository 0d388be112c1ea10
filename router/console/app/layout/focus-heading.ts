/** Focuses the page's heading, also if a loading page replaces it. Returns a function that ends this. */
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
