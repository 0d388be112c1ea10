/** Returns the id of a message as a number: positive, of 31 bits. `undefined` for any other text. */
export function messageNumber(text: string): number | undefined {
  const id = /^[1-9][0-9]{0,9}$/.test(text) ? Number(text) : 0;
  return id === 0 || id > idMax ? undefined : id;
}

const idMax = 2_147_483_647;
