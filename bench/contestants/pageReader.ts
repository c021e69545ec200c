import type { ListMethod, Store } from "../../src/store.js";

type Answer<Method extends ListMethod> = Awaited<ReturnType<Store[Method]>>;

/** The lists as each contestant answers them: like a store, and at once where it can. */
export type Lists = {
  [Method in ListMethod]: (...query: Parameters<Store[Method]>) => Answer<Method> | Promise<Answer<Method>>;
};
