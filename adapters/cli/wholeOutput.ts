import { fstatSync, fsyncSync, writeFileSync } from "node:fs";

/**
 * Makes standard output fail if it is a file that does not take all of a text. A nearly full disk takes a part, and
 * Node does not write the rest.
 *
 * @returns a function that passes all output on to the disk, and throws if the disk does not keep it
 */
export function wholeOutput(output: NodeJS.WriteStream & { fd: number }): () => void {
  if (!fstatSync(output.fd).isFile()) return () => {};
  output._write = (chunk: Uint8Array, _encoding, done) => {
    try {
      writeFileSync(output.fd, chunk);
      done();
    } catch (error) {
      done(error as Error);
    }
  };
  return () => fsyncSync(output.fd);
}
