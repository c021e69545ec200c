import type { ListData } from "./eachPage.js";

/** Converts a server's answer to the type of a list's data: the OpenIM server answers null for no items. */
export function listOf<Data extends ListData>(name: Exclude<keyof Data, "total">) {
  return (data: unknown): Data | undefined => {
    const { total, [name]: items } = data as Data;
    if (!Number.isInteger(total) || !isListOfObjects(items ?? [])) return undefined;
    return { ...(data as Data), [name]: items ?? [] };
  };
}

function isListOfObjects(items: unknown): boolean {
  return Array.isArray(items) && items.every((item) => typeof item === "object" && item !== null);
}
