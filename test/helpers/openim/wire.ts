/** The frames of MongoDB's wire protocol: OP_MSG, and OP_QUERY with OP_REPLY, by which drivers begin. */
import { deserialize, serialize } from "bson";

export type Fields = Record<string, unknown>;

export interface Message {
  id: number;
  isQuery: boolean;
  /** Whether the sender takes several answers. */
  takesMore: boolean;
  command: Fields;
}

const opReply = 1;
const opQuery = 2004;
const opMessage = 2013;
const checksumPresent = 1;
const moreToCome = 2;
const exhaustAllowed = 1 << 16;

/** Cuts what comes from a socket into messages. */
export class Frames {
  #rest = Buffer.alloc(0);

  push(bytes: Buffer): Message[] {
    this.#rest = Buffer.concat([this.#rest, bytes]);
    const messages: Message[] = [];
    for (;;) {
      const length = this.#rest.length < 4 ? 4 : this.#rest.readInt32LE(0);
      if (this.#rest.length < length || length === 4) return messages;
      messages.push(read(this.#rest.subarray(0, length)));
      this.#rest = this.#rest.subarray(length);
    }
  }
}

function read(frame: Buffer): Message {
  const id = frame.readInt32LE(4);
  if (frame.readInt32LE(12) === opQuery) {
    const at = frame.indexOf(0, 20) + 1 + 8;
    return { id, isQuery: true, takesMore: false, command: documentAt(frame, at) };
  }
  const flags = frame.readUInt32LE(16);
  const end = frame.length - (flags & checksumPresent ? 4 : 0);
  const command: Fields = {};
  for (let at = 20; at < end; ) {
    const isSequence = frame[at] === 1;
    const size = frame.readInt32LE(at + 1);
    if (isSequence) {
      const nameEnd = frame.indexOf(0, at + 5);
      command[frame.toString("utf8", at + 5, nameEnd)] = documentsIn(frame, nameEnd + 1, at + 1 + size);
    } else Object.assign(command, documentAt(frame, at + 1));
    at += 1 + size;
  }
  return { id, isQuery: false, takesMore: (flags & exhaustAllowed) !== 0, command };
}

function documentsIn(frame: Buffer, start: number, end: number): Fields[] {
  const documents: Fields[] = [];
  for (let at = start; at < end; at += frame.readInt32LE(at)) documents.push(documentAt(frame, at));
  return documents;
}

function documentAt(frame: Buffer, at: number): Fields {
  return deserialize(frame.subarray(at, at + frame.readInt32LE(at)), { validation: { utf8: false } });
}

let sent = 0;

/** An answer, after which another one comes if the sender takes several. */
export function answerTo({ id, isQuery }: { id: number; isQuery: boolean }, document: object, hasMore = false) {
  const body = serialize(document, { ignoreUndefined: true });
  const head = Buffer.alloc(isQuery ? 36 : 21);
  sent += 1;
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(sent, 4);
  head.writeInt32LE(id, 8);
  head.writeInt32LE(isQuery ? opReply : opMessage, 12);
  // A reply says how many documents it has; a message has flags.
  if (isQuery) head.writeInt32LE(1, 32);
  else head.writeInt32LE(hasMore ? moreToCome : 0, 16);
  return { id: sent, bytes: Buffer.concat([head, body]) };
}
