import type { AdminRequest } from "./request.js";

/** The token of a request, empty if there is none. If a client or a proxy has sent it twice, it counts once. */
export function tokenOf(request: AdminRequest): string {
  const value = request.header("token") ?? "";
  const [first = "", ...others] = value.split(", ");
  return others.every((other) => other === first) ? first : value;
}
