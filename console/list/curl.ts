import { paths } from "../../adapters/http/paths.js";
import type { Operation } from "../api/call.js";
import { apiAddress } from "../api/settings.js";

/** A request as a shell command. It leaves out the token, since others may read clipboards and shell histories. */
export function curlOf(operation: Operation, input: object): string {
  return `curl -s ${quote(apiAddress + paths[operation])} \\
  -H "operationID: $(date +%s)" -H "token: $TOKEN" \\
  -d ${quote(JSON.stringify(input))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
