/** Well-formed ids, a phone number and a credential that belong to no account. */
export const unknownValues = {
  group: "120363999999999999@g.us",
  newsletter: "120363999999999999@newsletter",
  phone: "6281234567890",
  credential: {
    id: "bm9ib2R5",
    rawId: "bm9ib2R5",
    type: "public-key",
    response: { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA" },
  },
};
