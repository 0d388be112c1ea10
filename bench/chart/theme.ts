/** Width of the whole document in pixels. GitHub scales it down to the available room. */
export const width = 820;

/** Returns an upper estimate, because the reader's font is unknown. */
export function textWidth(text: string): number {
  return text.length * 7;
}

/** The product is always the first series. All colours differ clearly on white and on black. */
export const palette = ["#3b82d6", "#e08a2e", "#4aa564", "#a974c4", "#d65f5f", "#2fa8a8", "#8a8f98", "#b8952a"];

export function colour(index: number): string {
  return palette[index % palette.length] ?? "#8a8f98";
}

export const style = `
text { font: 12px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328 }
.title { font-size: 14px; font-weight: 600 }
.faint { fill: #59636e }
.grid { stroke: #d1d9e0; stroke-width: 1 }
.axis { stroke: #818b98; stroke-width: 1 }
.whisker { stroke: #1f2328; stroke-width: 1.2 }
.limit { stroke: #cf222e; stroke-width: 1.6; stroke-dasharray: 5 3 }
.limit-text { fill: #cf222e }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .faint { fill: #9198a1 }
  .grid { stroke: #3d444d }
  .axis { stroke: #818b98 }
  .whisker { stroke: #f0f6fc }
  .limit { stroke: #ff7b72 }
  .limit-text { fill: #ff7b72 }
}
`;
