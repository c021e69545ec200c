/** Says why the server cannot listen, and what to do about it. */
export function listenFailure(error: unknown, host: string, port: number, flag = "--port"): unknown {
  const sentence = sentenceFor((error as NodeJS.ErrnoException)?.code, host, port, flag);
  return sentence === undefined ? error : new Error(sentence, { cause: error });
}

function sentenceFor(code: string | undefined, host: string, port: number, flag: string): string | undefined {
  switch (code) {
    case "EADDRINUSE":
      return `port ${port} of ${host} is in use: end what listens there, or choose another with ${flag} (0 picks a free one)`;
    case "EACCES":
    case "EPERM":
      return `this user may not listen on port ${port}: choose one above 1023 with ${flag}`;
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "EINVAL":
      return `${host} is no address of this machine: give one with --host, such as 127.0.0.1, or 0.0.0.0 for all`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `no address is known for ${host}: give one of this machine with --host, such as 127.0.0.1`;
    default:
      return undefined;
  }
}
