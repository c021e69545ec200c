/** IDs of other kinds, which sort as the short names that they are made of. */
const hex = (name: string) => Buffer.from(name).toString("hex");
export const uuid = (name: string) =>
  hex(name)
    .slice(0, 32)
    .padEnd(32, "0")
    .replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
/** Numbers of 18 digits sort as texts, too. */
export const number = (name: string) => String(10n ** 17n + BigInt(`0x${hex(name).slice(0, 14).padEnd(14, "0")}`));
