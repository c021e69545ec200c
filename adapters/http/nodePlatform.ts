import type { IncomingMessage } from "node:http";
import type { ServerRequest } from "srvx";
import { FastResponse } from "srvx/node";
import { GrowingBytes, incompleteBody } from "./body.js";
import type { Platform } from "./platform.js";

/** Node, where the standard's streams take longer than the rest of a request. */
export const nodePlatform: Platform = {
  Response: FastResponse as unknown as typeof Response,
  async readBody(request, limit) {
    const incoming = (request as ServerRequest).runtime?.node?.req as IncomingMessage;
    if (Number(incoming.headers["content-length"]) > limit) return undefined;
    // Not the sender's fault: somebody else was there before.
    if (incoming.readableDidRead) throw new TypeError("the request's body has already been read");
    // Nobody would hear of it any more.
    if (incoming.destroyed) throw incompleteBody();
    return await readIncoming(incoming, limit);
  },
};

function readIncoming(incoming: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve, reject) => {
    const body = new GrowingBytes();
    const onData = (chunk: Buffer) => {
      if (body.length + chunk.length <= limit) {
        body.append(chunk);
        return;
      }
      // Reads on, since a client that is cut off while it sends may not see the answer.
      incoming.off("data", onData).resume();
      resolve(undefined);
    };
    incoming.on("data", onData);
    const onCut = () => reject(incompleteBody());
    incoming.once("end", () => {
      incoming.off("close", onCut);
      resolve(body.bytes());
    });
    incoming.once("close", onCut);
    incoming.once("error", onCut);
  });
}
