import type { BundledStore } from "../../src/stores/bundledStore.js";

export function readLists(store: BundledStore): Promise<Record<string, string>>;
