/** Settings of a group in the examples. `approval` needs a supergroup on Telegram. */
export const allSettings = { announce: true, locked: true, memberAdd: false, ephemeral: 86_400 } as const;

export const picture = "https://example.com/cake.jpg";
