import { CompactSign, decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  fixedTokenAuthenticator,
  type JwtAuthenticatorOptions,
  jwtAuthenticator,
  type SignAdminTokenOptions,
  signAdminToken,
} from "../../adapters/auth.js";
import { adminUserID, secret, sign, tokens } from "../helpers/http/request.js";

const authenticate = jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID] });
const exp = 4_102_444_800;

/** A token with a valid signature and any payload. */
function signed(payload: string, header = {}): Promise<string> {
  const bytes = new TextEncoder().encode(payload);
  const token = new CompactSign(bytes).setProtectedHeader({ alg: "HS256", ...header });
  return token.sign(new TextEncoder().encode(secret), { crit: { ext: true } });
}

async function signedByKey(): Promise<string> {
  const { privateKey } = await generateKeyPair("RS256");
  return new SignJWT({ UserID: adminUserID, exp }).setProtectedHeader({ alg: "RS256" }).sign(privateKey);
}

/** A token with an extension that a server must understand before it accepts the token. */
const withExtension = signed(JSON.stringify({ UserID: adminUserID, exp }), { crit: ["ext"], ext: true });

function encoded(text: string): string {
  return Buffer.from(text).toString("base64url");
}

const [header, , signature] = tokens.ofAnybody.split(".");
const forged = `${header}.${encoded(JSON.stringify({ UserID: adminUserID, PlatformID: 1, exp }))}.${signature}`;

const otherSignature = "its signature is of another secret than the server's, or it was damaged on its way";
const otherKind = "only HS256 without extensions is known";

describe("jwtAuthenticator", () => {
  it("knows an administrator by a token of the reference server, from any platform", async () => {
    expect(await authenticate(tokens.admin)).toStrictEqual({ adminUserID });
    const claims = { UserID: adminUserID, PlatformID: 5, exp, nbf: 1_700_000_000, iat: 1_700_000_300 };
    expect(await authenticate(await sign(claims))).toStrictEqual({ adminUserID });
  });

  it.each([
    ["expired", tokens.expired, "TokenExpiredError"],
    ["without expiry", tokens.withoutExpiry, "TokenMalformedError"],
    ["with an expiry that is no number", sign({ UserID: adminUserID, exp: "2100" as never }), "TokenMalformedError"],
    ["without a user", tokens.withoutUserID, "TokenMalformedError"],
    ["with a user that is no string", sign({ UserID: 1, exp }), "TokenMalformedError"],
    ["with a user in another claim", sign({ sub: adminUserID, userID: adminUserID, exp }), "TokenMalformedError"],
    ["with signed bytes that are no JSON", signed("imAdmin"), "TokenMalformedError"],
    ["with a signed array", signed("[]"), "TokenMalformedError"],
    ["that is not valid yet", tokens.notYetValid, "TokenNotValidYetError"],
    ["of somebody else", tokens.ofAnybody, "NoPermissionError"],
    ["of an administrator in other letters", sign({ UserID: "IMADMIN", exp }), "NoPermissionError"],
    ["of a user without a name", sign({ UserID: "", exp }), "NoPermissionError"],
    ["of 200 KB, signed", signed(JSON.stringify({ ex: "x".repeat(200_000) })), "TokenMalformedError"],
  ])("refuses a token %s", async (_name, token, failure) => {
    expect(await authenticate(await token)).toStrictEqual({ failure });
  });

  it.each([
    ["signed with another secret", tokens.ofAnotherSecret, otherSignature],
    ["expired and signed with another secret", sign({ exp: 1 }, { key: "other" }), otherSignature],
    ["whose payload was changed", forged, otherSignature],
    ["of 200 KB", `${header}.${encoded("x".repeat(200_000))}.${signature}`, otherSignature],
    ["signed with HS512", tokens.ofAnotherAlgorithm, otherKind],
    ["signed with a private key", signedByKey(), otherKind],
    ["with an extension that must be understood", withExtension, otherKind],
  ])("does not know a token %s, and says why", async (_name, token, reason) => {
    expect(await authenticate(await token)).toStrictEqual({ failure: "TokenUnknownError", reason });
  });

  /** Runs a call at a time, in milliseconds since 1970. */
  function at<Result>(time: number, call: () => Result): Result {
    vi.useFakeTimers({ toFake: ["Date"], now: time });
    onTestFinished(() => void vi.useRealTimers());
    return call();
  }

  it.each([
    [undefined, 5],
    [5, 5],
    [0, 0],
    [300, 300],
  ])("lets clocks differ: clockTolerance %s is %i seconds", async (clockTolerance, seconds) => {
    const tolerant = jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID], clockTolerance });
    const now = 1_800_000_000;
    const sent = async (claims: object) => {
      const token = await sign({ UserID: adminUserID, exp: now + 900, ...claims });
      return at(now * 1000, () => tolerant(token));
    };
    for (const claim of ["nbf", "iat"]) {
      expect(await sent({ [claim]: now + seconds }), claim).toStrictEqual({ adminUserID });
      expect(await sent({ [claim]: now + seconds + 1 }), claim).toStrictEqual({ failure: "TokenNotValidYetError" });
    }
    expect(await sent({ exp: now - seconds + 1 })).toStrictEqual({ adminUserID });
    expect(await sent({ exp: now - seconds })).toStrictEqual({ failure: "TokenExpiredError" });
  });

  it.each(["exp", "nbf", "iat"])("refuses a token with %s in milliseconds, and says so", async (claim) => {
    for (const time of [Date.now(), 95_617_584_000, 1e300]) {
      expect(await authenticate(await sign({ UserID: adminUserID, exp, [claim]: time }))).toStrictEqual({
        failure: "TokenMalformedError",
        reason: `${claim} lies beyond the year 5000, as a time in milliseconds does: give it in seconds`,
      });
    }
    const last = await sign({ UserID: adminUserID, exp: 95_617_583_999 });
    expect(await authenticate(last)).toStrictEqual({ adminUserID });
  });

  it("refuses a token without a signature, however its header calls that", async () => {
    const [, payload] = tokens.admin.split(".");
    for (const alg of ["none", "None", "hs256", "HS256 "]) {
      const token = `${encoded(JSON.stringify({ alg }))}.${payload}.`;
      expect(await authenticate(token), alg).toStrictEqual({ failure: "TokenUnknownError", reason: otherKind });
    }
  });

  it("refuses what is no JWT", async () => {
    const [header, payload, signature] = tokens.admin.split(".");
    const headers = ["null", "[]", "{}", "1", '"HS256"', '{"alg":1}', '{"alg":"HS256"'];
    const shapes = [
      ..." .|..|a|a.b.c|a.b.c.d.e|null|{}|Bearer|管理|\0".split("|"),
      ...[`${header}.${payload}`, `${tokens.admin}.`, `Bearer ${tokens.admin}`, "=".repeat(10_000)],
      ...headers.map((json) => `${encoded(json)}.${payload}.${signature}`),
    ];
    for (const token of shapes) expect(await authenticate(token), token).toEqual({ failure: "TokenMalformedError" });
  });

  it("refuses another spelling of a token, which nobody has revoked", async () => {
    // The last character of a signature has two bits that belong to no byte.
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const last = letters.indexOf(tokens.admin.slice(-1));
    for (const bits of [1, 2, 3]) {
      const token = tokens.admin.slice(0, -1) + letters[last ^ bits];
      expect(await authenticate(token), token).toStrictEqual({ failure: "TokenMalformedError" });
    }
  });

  it("accepts tokens of each of several secrets, as during a rotation", async () => {
    const rotating = jwtAuthenticator({ secrets: ["new", "old"], adminUserIDs: ["a", "b"] });
    expect(await rotating(await signAdminToken({ secret: "new", userID: "a" }))).toStrictEqual({ adminUserID: "a" });
    expect(await rotating(await signAdminToken({ secret: "old", userID: "b" }))).toStrictEqual({ adminUserID: "b" });
    expect(await rotating(await sign({ UserID: "a", exp: 1 }, { key: "old" }))).toStrictEqual({
      failure: "TokenExpiredError",
    });
    expect(await rotating(tokens.admin)).toStrictEqual({ failure: "TokenUnknownError", reason: otherSignature });
  });

  it("asks about a token that it remembers as about any other", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2050) });
    onTestFinished(() => void vi.useRealTimers());
    const token = await sign({ UserID: adminUserID, exp: Date.UTC(2050) / 1000 + 60 });
    let isRevoked = false;
    const remembering = jwtAuthenticator({
      secrets: [secret],
      adminUserIDs: [adminUserID],
      isRevoked: () => isRevoked,
    });
    for (const _time of [1, 2, 3]) expect(await remembering(token)).toStrictEqual({ adminUserID });
    isRevoked = true;
    expect(await remembering(token)).toStrictEqual({ failure: "TokenKickedError" });
    isRevoked = false;
    expect(await remembering(token)).toStrictEqual({ adminUserID });
    expect(await remembering(`${token}x`)).toStrictEqual({ failure: "TokenUnknownError", reason: otherSignature });
    vi.advanceTimersByTime(64_000);
    expect(await remembering(token)).toStrictEqual({ adminUserID });
    vi.advanceTimersByTime(1_000);
    expect(await remembering(token)).toStrictEqual({ failure: "TokenExpiredError" });
  });

  it("says of no token that it is missing", async () => {
    expect(await authenticate("")).toStrictEqual({ failure: "ArgsError" });
    const fixed = fixedTokenAuthenticator([{ token: "t", adminUserID }]);
    expect(await fixed("")).toStrictEqual({ failure: "ArgsError" });
  });

  it("asks whether a token was revoked only where it is otherwise valid", async () => {
    const asked: unknown[] = [];
    const isRevoked = async (...question: unknown[]) => asked.push(question) > 1;
    const revoking = jwtAuthenticator({ secrets: [secret], adminUserIDs: [adminUserID], isRevoked });
    await revoking(tokens.expired);
    await revoking(tokens.ofAnybody);
    expect(await revoking(tokens.admin)).toStrictEqual({ adminUserID });
    expect(await revoking(tokens.revoked)).toStrictEqual({ failure: "TokenKickedError" });
    expect(asked).toStrictEqual([
      [tokens.admin, adminUserID],
      [tokens.revoked, adminUserID],
    ]);
  });

  it.each([
    ["no secret", { secrets: [], adminUserIDs: [] }],
    ["an empty secret", { secrets: [secret, ""], adminUserIDs: [] }],
    ["a secret that is not set", { secrets: [undefined], adminUserIDs: [] }],
    ["no list of administrators", { secrets: [secret] }],
    ["a name for a list", { secrets: [secret], adminUserIDs: adminUserID }],
    ...[-1, 301, Number.NaN, "5", null].map((clockTolerance): [string, object] => [
      `a clockTolerance of ${clockTolerance}`,
      { secrets: [secret], adminUserIDs: [], clockTolerance },
    ]),
  ])("refuses %s with a TypeError", (_name, options) => {
    expect(() => jwtAuthenticator(options as JwtAuthenticatorOptions)).toThrow(TypeError);
  });
});

describe("signAdminToken", () => {
  it("mints the tokens of the reference server, for 90 days", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_999 });
    onTestFinished(() => void vi.useRealTimers());
    const token = await signAdminToken({ secret, userID: adminUserID });
    expect(decodeProtectedHeader(token)).toStrictEqual({ alg: "HS256", typ: "JWT" });
    const claims = { UserID: adminUserID, PlatformID: 10, iat: 1_700_000_000, exp: 1_707_776_000 };
    expect(decodeJwt(token)).toStrictEqual(claims);

    vi.setSystemTime(1_707_776_004_999);
    expect(await authenticate(token)).toStrictEqual({ adminUserID });
    vi.setSystemTime(1_707_776_005_000);
    expect(await authenticate(token)).toStrictEqual({ failure: "TokenExpiredError" });
  });

  it("mints for another platform and time", async () => {
    const token = await signAdminToken({ secret, userID: "a", platformID: 5, expiresInSeconds: 60 });
    const { PlatformID, iat = 0, exp = 0 } = decodeJwt(token);
    expect({ PlatformID, lifetime: exp - iat }).toStrictEqual({ PlatformID: 5, lifetime: 60 });
  });

  const options = "signAdminToken must be given an object of secret, userID, expiresInSeconds, platformID";

  it.each<[unknown, string | RegExp]>([
    [undefined, options],
    [{ secret: "" }, "a secret must be"],
    [{ secret: undefined }, "a secret must be"],
    [{ userID: "" }, "userID must not be empty"],
    [{ userID: undefined }, "userID must not be empty"],
    ...[0, 1.5, "90d", 31_536_000_001].map((expiresInSeconds): [object, string] => [
      { expiresInSeconds },
      "expiresInSeconds must be",
    ]),
    ...["10", 1.5].map((platformID): [object, string] => [{ platformID }, "platformID must be an integer"]),
    [{ expires: 60 }, 'signAdminToken does not know "expires"'],
  ])("rejects %o with a TypeError", async (wrong, message) => {
    const given = wrong && { secret, userID: "a", ...wrong };
    await expect(signAdminToken(given as SignAdminTokenOptions)).rejects.toThrow(TypeError);
    await expect(signAdminToken(given as SignAdminTokenOptions)).rejects.toThrow(message);
  });
});

describe("fixedTokenAuthenticator", () => {
  it("knows the tokens of its list, and no part of them", async () => {
    const fixed = fixedTokenAuthenticator([
      { token: "first", adminUserID: "a" },
      { token: "second", adminUserID: "b" },
    ]);
    expect(await fixed("first")).toStrictEqual({ adminUserID: "a" });
    expect(await fixed("second")).toStrictEqual({ adminUserID: "b" });
    for (const token of ["firs", "first ", "FIRST", "firstsecond", "undefined", tokens.admin]) {
      expect(await fixed(token), token).toStrictEqual({ failure: "TokenNotExistError" });
    }
  });

  it("lets nobody in where the list is empty, and refuses a token that is not set", async () => {
    expect(await fixedTokenAuthenticator([])("any")).toStrictEqual({ failure: "TokenNotExistError" });
    for (const token of ["", undefined, null]) {
      expect(() => fixedTokenAuthenticator([{ token: token as string, adminUserID: "a" }])).toThrow(TypeError);
    }
  });
});
