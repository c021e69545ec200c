import type { MongoClient } from "mongodb";
import type { OpenimClient } from "../../../src/openim/index.js";

export function withChanges(client: MongoClient, name: string): OpenimClient;
