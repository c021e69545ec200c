import { apiAddress, type Path } from "../api/call.js";

/** A request as a command for a shell. The token is left out, since clipboards and shell histories are read by others. */
export function curlOf(path: Path, input: object): string {
  return `curl -s ${quote(apiAddress + path)} \\
  -H "operationID: $(date +%s)" -H "token: $TOKEN" \\
  -d ${quote(JSON.stringify(input))}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
