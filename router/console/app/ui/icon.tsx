/** Strokes of 24 by 24, one path each. */
const shapes = {
  sessions: "M4 6h16M4 12h16M4 18h10",
  plus: "M12 5v14M5 12h14",
  members: "M4 5h16v6H4zM4 15h16v4H4zM8 8h.01M8 17h.01",
  slots: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z",
  overview: "M4 19V9M10 19V5M16 19v-7M21 19H3",
  tenants: "M3 21V8l7-4v17M10 21h11V11l-11-3M14 14h3M14 17h3M6 11h.01M6 15h.01",
  keys: "M15 7a4 4 0 1 1-3.5 6L7 17.5V20H4v-3l6.2-6.2A4 4 0 0 1 15 7zM16 10h.01",
  keyring: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4",
  webhooks: "M8 8a4 4 0 1 1 6 3.5L17 17M8 16H4M17 17a3 3 0 1 1-3 3M12 8l-3.5 7",
  audit: "M6 3h9l4 4v14H6zM9 11h7M9 15h7M9 7h3",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  close: "M6 6l12 12M18 6L6 18",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l4 4",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M5 12.5l4.5 4.5L19 7.5",
  warn: "M12 4l9 16H3zM12 10v4M12 17h.01",
  send: "M4 12l16-8-6 16-3-6z",
  refresh: "M20 11a8 8 0 1 0-1 5M20 5v6h-6",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6L19 19M5 19l1.4-1.4M17.6 6.4L19 5",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  auto: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 3v18M15 5v14M18 7.5v9",
  menu: "M4 7h16M4 12h16M4 17h16",
  leave: "M14 4H5v16h9M10 12h11M17 8l4 4-4 4",
  file: "M7 3h7l5 5v13H7zM14 3v5h5",
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M9 9h.01",
  video: "M4 6h11v12H4zM15 10l5-3v10l-5-3",
  audio: "M9 18V6l10-2v12M9 18a2.5 2.5 0 1 1-2.5-2.5M19 16a2.5 2.5 0 1 1-2.5-2.5",
  place: "M12 21s7-6 7-11a7 7 0 0 0-14 0c0 5 7 11 7 11zM12 8a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  person: "M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4 21c0-4 3.5-6 8-6s8 2 8 6",
  text: "M5 6h14M12 6v13",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  phone: "M8 3h8v18H8zM11 18h2",
} as const;

export type IconName = keyof typeof shapes;

export function isIcon(name: string): name is IconName {
  return Object.hasOwn(shapes, name);
}

/** Says nothing by itself: its text stands beside it, or in its button's label. */
export function Icon({ name, class: extra = "" }: { name: IconName; class?: string }) {
  return (
    <svg class={`icon ${extra}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  );
}
