import { failure } from "../../src/envelope.js";
import { argsError } from "../../src/errors.js";
import { json } from "../http/answer.js";
import { writeAnswer } from "../http/nodeRequest.js";
import type { NodeListener } from "../node.js";
import { isLoopback } from "./weakSecrets.js";

const localNames = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Answers only requests that name one of our hosts. Otherwise another site whose name leads to this machine would have the
 * same origin as we, and its pages could read our answers. If other machines may reach us and the user named no host, it
 * answers all requests.
 */
export function onlyHosts(listener: NodeListener, host: string, names: readonly string[] = []): NodeListener {
  if (names.length === 0 && !isLoopback(host)) return listener;
  const known = new Set([...localNames, host, ...names].map((name) => name.toLowerCase()));
  const refusal = JSON.stringify(failure(argsError("the request's host must be localhost, or given as --allow-host")));
  return (request, response) => {
    const name = request.headers.host?.replace(/:\d+$/, "").toLowerCase();
    // Every browser sends this header.
    if (name === undefined || known.has(name)) listener(request, response);
    else writeAnswer(json(403, refusal), response);
  };
}
