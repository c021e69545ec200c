import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** Where MongoDB is. `MONGODB` is its URI, or `stand-in` for one that is started here from the jars in `MONGODB_JARS`. */
export async function startMongo(): Promise<{ uri: string; stop(): void }> {
  const { MONGODB = "", MONGODB_JARS = "" } = process.env;
  if (MONGODB !== "stand-in") return { uri: MONGODB, stop() {} };
  const program = fileURLToPath(new URL("Server.java", import.meta.url));
  const server = spawn("java", ["-cp", `${MONGODB_JARS}/*`, program], { stdio: ["pipe", "pipe", "ignore"] });
  const [port] = await once(server.stdout, "data");
  return { uri: `mongodb://127.0.0.1:${String(port).trim()}`, stop: () => server.stdin.end() };
}
