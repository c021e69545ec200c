import { Agent } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { randomOf, rounds, seed } from "../../../helpers/chance.js";
import { sendOverHttp } from "../../../helpers/http/adapters.js";
import { clientSide, type Received, UpstreamSide, withoutFraming } from "../../../helpers/http/exchangePartners.js";
import { type Exchange, type Message, randomExchange } from "../../../helpers/http/exchanges.js";
import { failureText, membersBody, membersText, paths, tokens } from "../../../helpers/http/request.js";
import { httpUpstream, servedBeside } from "../../../helpers/http/upstreams.js";

const atOnce = 16;
const large = 52_428_800;

/** A message that was passed on as it was sent. */
function whole(start: string, { content, trailers }: Message, headers: string[]): Received {
  return { start, headers, isRight: true, length: content.size, isWhole: true, trailers: trailers.flat() };
}

function expectPassedOn({ method, target, request, asksForBody, cut }: Exchange, received: Received, index: number) {
  const sent = [...request.headers, "X-Exchange", String(index), ...(asksForBody ? ["Expect", "100-continue"] : [])];
  const before = request.headers.includes("X-Forwarded-For") ? "203.0.113.7, " : "";
  const expected = sent.filter((_, at) => sent[at - (at % 2)] !== "X-Forwarded-For");
  const headers = [...withoutFraming(expected), "X-Forwarded-For", `${before}127.0.0.1`];
  const right = whole(`${method} ${target}`, request, headers);
  if (cut !== "client in body") return expect(received).toStrictEqual(right);
  expect(received).toMatchObject({ start: right.start, headers, isRight: true, isWhole: false });
  expect(received.length).toBeLessThanOrEqual(request.content.size / 2);
}

function expectGivenBack({ status, reason, answer, cut }: Exchange, received: Received) {
  const right = whole(`${status} ${reason}`, answer, withoutFraming(answer.headers));
  if (cut === undefined) return expect(received).toStrictEqual(right);
  if (cut === "client in body") return;
  if (cut === "upstream at once") return expect(received.start).toBe("502 Bad Gateway");
  expect(received).toMatchObject({ start: right.start, headers: right.headers, isRight: true, isWhole: false });
}

it("passes random requests on and gives their answers back byte by byte, and answers every list itself", async () => {
  const random = randomOf(seed);
  const exchanges = [
    randomExchange(random, { request: large }),
    randomExchange(random, { answer: large }),
    ...Array.from({ length: rounds(1_000) }, () => randomExchange(random)),
  ];
  const upstream = new UpstreamSide(exchanges);
  const url = await httpUpstream((request, response) => void upstream.answer(request, response));
  const { port } = await servedBeside(url);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());

  async function exchange(index: number, planned: Exchange): Promise<void> {
    const back = await clientSide(planned, index, { port, agent, upstream });
    await upstream.end(index);
    expectGivenBack(planned, back);
    const received = upstream.received.get(index);
    if (planned.cut === "upstream at once") expect(received).toBeUndefined();
    else expectPassedOn(planned, received as Received, index);
  }

  async function list(): Promise<void> {
    const headers = { operationID: "op-1", token: tokens.admin };
    const answer = await sendOverHttp(port, { method: "POST", path: paths.members, headers, body: membersBody });
    expect(answer).toMatchObject({ status: 200, text: membersText });
  }

  async function upgrade(): Promise<void> {
    const headers = { connection: "Upgrade", upgrade: "websocket" };
    const what = "a WebSocket is not passed on: connect to the message gateway at its own port";
    const answer = await sendOverHttp(port, { method: "GET", path: "/", headers });
    expect(answer).toMatchObject({ status: 501, text: failureText(1001, "ArgsError", what) });
  }

  const queue = exchanges.entries();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [index, planned] of queue) {
        await exchange(index, planned).catch((error) => {
          throw new Error(`exchange ${index}, ${planned.method} ${planned.target}, cut: ${planned.cut}`, {
            cause: error,
          });
        });
        await (index % 2 === 0 ? list() : upgrade());
      }
    }),
  );
});
