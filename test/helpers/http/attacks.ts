/** What hostile clients send over raw connections: made of a seed, so that it is the same each time. */
import type { Socket } from "node:net";
import { randomOf, seed } from "../chance.js";
import { close, openSocket, receive, requestBytes } from "./sockets.js";

/** Who attacks what. */
export interface Target {
  port: number;
  /** A token of an administrator, whom not all attackers are. */
  token: string;
}

/** Sends something, and gives what comes back, if anybody waits for it. */
type Attack = (target: Target, random: Random) => Promise<string>;

/** Gives an integer from 0, below the given one. */
type Random = (below: number) => number;

const members = "/group/get_group_member_list";
const page = '"pagination":{"pageNumber":1,"showNumber":20}';
const good = `{"groupID":"2559217223",${page}}`;

function post(body: string | undefined, { token = "", path = members, more = [close] } = {}): string {
  return requestBytes(`POST ${path}`, ["operationID: attack", `token: ${token}`, ...more], body);
}

/** How long an attacker waits for an answer, in milliseconds: some of what is sent never gets one. */
const longestWait = 500;

async function sent(port: number, bytes: string): Promise<string> {
  const socket = await openSocket(port);
  socket.write(bytes);
  const end = setTimeout(() => socket.destroy(), longestWait);
  return receive(socket).finally(() => clearTimeout(end));
}

/** A text of which some characters are other ones. */
function broken(text: string, random: Random): string {
  const characters = [...text];
  for (let count = 1 + random(3); count > 0; count -= 1) {
    characters[random(characters.length)] = String.fromCharCode(32 + random(95));
  }
  return characters.join("");
}

const attacks: readonly Attack[] = [
  // Malformed.
  ({ port, token }, random) => sent(port, post(broken(good, random), { token })),
  ({ port, token }, random) => sent(port, post("[".repeat(random(20_000)), { token })),
  ({ port, token }, random) => sent(port, `${broken(post("{}", { token }), random)}\r\n\r\n`),
  // Forged tokens, one of which is spelled in another way.
  ({ port, token }, random) => sent(port, post(good, { token: broken(token, random) })),
  ({ port, token }) => sent(port, post(good, { token: `${token}=` })),
  ({ port }) => sent(port, post(good, { path: "/auth/get_admin_token" })),
  // Oversized.
  ({ port }) => sent(port, post("x".repeat(100_000), { more: [`x: ${"y".repeat(20_000)}`, close] })),
  ({ port, token }) => sent(port, post("x".repeat(1_100_000), { token })),
  ({ port, token }) => {
    const head = post(undefined, { token, more: ["Transfer-Encoding: chunked", close] });
    return sent(port, head + `2710\r\n${"x".repeat(10_000)}\r\n`.repeat(120));
  },
  // Pipelined.
  ({ port, token }, random) => {
    const more = ["Connection: keep-alive"];
    const many = Array.from({ length: 19 }, () => post(random(2) ? good : "{", { token, more }));
    return sent(port, many.join("") + post(good, { token }));
  },
  // Aborted.
  async ({ port, token }, random) => {
    const request = post(good, { token });
    const socket = await openSocket(port);
    socket.write(request.slice(0, 1 + random(request.length)));
    if (random(2)) await new Promise((resolve) => setImmediate(resolve));
    socket.resetAndDestroy();
    return "";
  },
  // Heavy, and nobody waits for it.
  async ({ port, token }) => {
    const socket = await openSocket(port);
    socket.write(post(`{"groupID":"2559217223","keyword":"1",${page}}`, { token }), () => socket.destroy());
    return "";
  },
];

/** Makes so many attacks, some at a time, and gives the answers that are none of a server in good order. */
export async function attack(target: Target, count: number): Promise<string[]> {
  const chance = randomOf(seed);
  const random: Random = (below) => Math.floor(chance() * below);
  const found: string[] = [];
  let left = count;
  async function attacker(): Promise<void> {
    while (left > 0) {
      left -= 1;
      const answers = await attacks[random(attacks.length)]?.(target, random);
      if (/HTTP\/1\.1 5|"errCode":500/.test(answers ?? "")) found.push(String(answers));
    }
  }
  await Promise.all(Array.from({ length: 16 }, attacker));
  return found;
}

/** Connections that send nothing more after a beginning. */
export async function slowClients(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const socket = await openSocket(port);
    socket.write(post(good).slice(0, (17 * sockets.length) % 150));
    sockets.push(socket.resume());
  }
  return sockets;
}
