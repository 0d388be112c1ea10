/** Right by their form, and nobody's. */
export const nobody = {
  group: "120363999999999999@g.us",
  newsletter: "120363999999999999@newsletter",
  phone: "6281234567890",
};
