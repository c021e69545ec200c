/**
 * Stands for an installed package "mongodb" in a process and its threads, by `node --import`. The environment variable
 * MONGODB_MODULE names the module that is imported instead.
 */
import { register } from "node:module";

const resolve = `export async function resolve(name, context, next) {
  if (name === "mongodb") return { url: process.env.MONGODB_MODULE, shortCircuit: true };
  return next(name, context);
}`;

register(`data:text/javascript,${encodeURIComponent(resolve)}`);
